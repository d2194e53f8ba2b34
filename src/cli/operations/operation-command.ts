/**
 * Commands that call an operation of a running sandbox, made from its declaration and its row of names: what is in its
 * path is an argument, what is in its body or its query is an option.
 */
import { Argument, type Command, Option } from 'commander'
import { EventSourceParserStream } from 'eventsource-parser/stream'
import { operationCommands } from '../../operations/names.ts'
import type { OperationCommand } from '../../operations/naming.ts'
import { apiKeyOf } from '../../sandbox/sandbox-types.ts'
import { tryParseJson } from '../../wire/common/text.ts'
import { addConnectionOptions, ask, asTyped, readError } from '../terminal/connection.ts'
import { addOutputOptions, print, printableAnswer, streamWriter } from '../terminal/output.ts'
import { writeWarning } from '../terminal/terminal.ts'
import { addExamples, CannotRun, type Configure, ExitCode, UsageError } from '../terminal/usage.ts'
import {
  bodyIn,
  type CommandOperation,
  type CommandOperations,
  commandOperations,
  type Field,
  optionOf,
  readValue,
  setAt,
} from './fields.ts'
import { type OperationValues, overrides, type Typed, type TypedFields } from './overrides.ts'

/** The commands of a group: one without a further word, or several. */
export function groupCommand(
  group: string,
  { commands, declared } = { commands: operationCommands, declared: commandOperations },
): Configure {
  const rows = commands.filter(({ words }) => words.split(' ')[0] === group)
  return (command) => {
    for (const row of rows) {
      if (row.words === group) return addOperation(command, row, declared)
      const { summary } = declarationFor(row.operationId, declared)
      const child = command.command(row.words.slice(group.length + 1))
      child.summary(`${summary.charAt(0).toLowerCase()}${summary.slice(1)}`)
      addOperation(child, row, declared)
    }
    addExamples(command, ...rows.map(({ example }) => example))
  }
}

function declarationFor(operationId: string, declared: CommandOperations): CommandOperation {
  const found = declared.get(operationId)
  if (found === undefined) throw new Error(`${operationId} is not declared`)
  return found
}

interface Input extends Field {
  readonly label: string
  readonly part: Argument | Option
}

function addOperation(command: Command, row: OperationCommand, surface: CommandOperations): void {
  const declared = declarationFor(row.operationId, surface)
  const { add, inTypedWords, isRaw } = overrides[row.words] ?? {}
  command.description(`${declared.summary}. ${declared.description}`)
  const inPath = Object.entries(declared.params)
  for (const [name, description] of inPath) {
    const short = name.endsWith('_id') ? 'id' : name
    command.addArgument(argument(short, description, row.unnamed === undefined))
  }
  const inputs = inputsOf(declared, row)
  for (const { part } of inputs) {
    if (part instanceof Option) command.addOption(part)
    else command.addArgument(part)
  }
  add?.(command)
  if (hasBody(declared)) {
    const isAll = row.without?.includes('*') === true
    const text = `the JSON file with the body; - is stdin${isAll ? ' (required)' : ''}`
    command.addOption(new Option('--body <file>', text).makeOptionMandatory(isAll))
  }
  if (row.follow !== undefined)
    command.option('--follow', 'continue with new entries as they occur')
  addConnectionOptions(command)
  if (!declared.answersText) addOutputOptions(command, isRaw ? ['json'] : undefined)
  addExamples(command, row.example)
  command.action(async () => {
    const values = command.opts<OperationValues>()
    const ids = command.args.slice(0, inPath.length)
    const args = command.args.slice(inPath.length)
    const { fields, rest } = readFields(inputs, args, values)
    const typed = { values, ids, fields, rest }
    await run(row, surface, typed).catch((failure: unknown) => {
      const labels = labelsOf(inputs, values).set('Sandbox-Id', '--sandbox')
      throw asTyped(
        readError(failure, values.url),
        labels,
        (sentence) => inTypedWords?.(sentence, typed) ?? sentence,
      )
    })
  })
}

function argument(name: string, description: string, isRequired: boolean): Argument {
  return new Argument(isRequired ? `<${name}>` : `[${name}]`, description)
}

function hasBody({ fieldsIn }: CommandOperation): boolean {
  return fieldsIn === 'form' || fieldsIn === 'json'
}

function inputsOf(declared: CommandOperation, row: OperationCommand): Input[] {
  const { args = [], options = {}, without = [] } = row
  if (without.includes('*')) return []
  const fields = declared.fields.filter(({ path }) => !without.includes(path[0] ?? ''))
  return fields.map((field) => {
    const name = field.path.join('.')
    const option = optionOf(field, options[name])
    if (!args.includes(name)) return { ...field, part: option, label: option.long ?? '' }
    const short = name.replace(/_id$/, '')
    const part = argument(short, field.description, field.isRequired === true && hasBody(declared))
    return { ...field, part, label: name }
  })
}

/** What is typed for a field that the server may name; a field that a file may contain keeps its name. */
function labelsOf(inputs: readonly Input[], values: OperationValues): Map<string, string> {
  const typed = inputs.filter(
    ({ part }) =>
      part instanceof Option &&
      (values.body === undefined || values[part.attributeName()] !== undefined),
  )
  return new Map(typed.map(({ path, label }) => [path.join('.'), label]))
}

/** The fields of a file, of options and of arguments, and the arguments that are left. */
function readFields(inputs: readonly Input[], args: readonly string[], values: OperationValues) {
  const fields = values.body === undefined ? {} : bodyIn(values.body)
  const rest = [...args]
  const isArgument = ({ part }: Input) => Number(part instanceof Argument)
  for (const input of inputs.toSorted((one, other) => isArgument(one) - isArgument(other))) {
    const { path, label, part } = input
    const text = part instanceof Option ? values[part.attributeName()] : rest.shift()
    if (text !== undefined) setAt(fields, path, readValue(label, input, text as string | true))
  }
  return { fields, rest }
}

async function run(row: OperationCommand, surface: CommandOperations, typed: Typed): Promise<void> {
  const { values, ids } = typed
  const { adjust, withProgress, isRaw, isNo } = overrides[row.words] ?? {}
  if (values.follow && row.follow !== undefined) {
    return printStream(pathOf(declarationFor(row.follow, surface), [], typed.fields), row, values)
  }
  const isUnnamed = row.unnamed !== undefined && ids.length === 0
  const declared = declarationFor(isUnnamed ? row.unnamed : row.operationId, surface)
  const fields = adjust?.(typed) ?? typed.fields
  const path = pathOf(declared, ids, declared.fieldsIn === 'query' ? fields : {})
  const reply = ask(values, path, requestOf(declared, fields, values.sandbox))
  const answer = await (withProgress?.(reply, values) ?? reply)
  writeWarnings(answer)
  // With the end of its last line.
  const text = (await answer.text()).replace(/[^\n]$/, '$&\n')
  const isJson = (answer.headers.get('content-type') ?? '').includes('json')
  if (!isJson || isRaw) {
    process.stdout.write(text)
    return
  }
  const parsed = tryParseJson(text) as TypedFields | undefined
  if (parsed === undefined)
    throw new CannotRun(`${values.url} answered something that is not JSON.`)
  await print(values, { json: text, ...printableAnswer(parsed, row, declared.lists) })
  const no = isNo?.(parsed, typed) ?? false
  if (no !== false) process.exitCode = ExitCode.no
  if (typeof no === 'string') writeWarning(no)
}

/** Prints each message of a stream; resolves at its end, and when nobody reads any more. */
async function printStream(
  path: string,
  row: OperationCommand,
  values: OperationValues,
): Promise<void> {
  const { body } = await ask(values, path)
  if (body === null) return
  const lineFor = streamWriter(row, values)
  const messages = body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream())
    .getReader()
  // Nobody reads: there is nothing to wait for.
  process.stdout.once('error', () => void messages.cancel())
  for (;;) {
    const { done, value } = await messages.read()
    if (done) return
    if (value.event === 'end') {
      process.stderr.write(`The stream ended: ${value.data}\n`)
      return
    }
    process.stdout.write(lineFor(value.data))
  }
}

function requestOf(
  { method, credential, fieldsIn, isBodyRequired }: CommandOperation,
  fields: TypedFields,
  sandbox: string,
): RequestInit {
  const key = credential === 'refresh_token' ? fields['refresh_token'] : apiKeyOf(sandbox)
  const headers = credential === 'none' ? {} : { Authorization: `Bearer ${key}` }
  const request = { method: method.toUpperCase(), headers }
  const isEmpty = Object.keys(fields).length === 0
  if (fieldsIn === null || fieldsIn === 'query' || (isEmpty && !isBodyRequired)) return request
  // A form where it is taken, because that is what the interface shows.
  if (fieldsIn === 'form') return { ...request, body: formOf(fields) }
  const asJson = { ...headers, 'Content-Type': 'application/json' }
  return { ...request, headers: asJson, body: JSON.stringify(fields) }
}

function pathOf({ path }: CommandOperation, ids: readonly string[], query: TypedFields): string {
  const left = [...ids]
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => {
    const id = left.shift() ?? ''
    // A URL has another path with these.
    if (/^\.{0,2}$/.test(id)) throw new UsageError(`${name} must be an id; got "${id}".`)
    return encodeURIComponent(id)
  })
  const search = formOf(query)
  return search.size === 0 ? filled : `${filled}?${search}`
}

function formOf(fields: TypedFields): URLSearchParams {
  return new URLSearchParams(
    Object.entries(fields).map(([name, value]): [string, string] => [name, String(value)]),
  )
}

/** What surprises people about an answer, for people: standard output has the answer alone. */
function writeWarnings({ headers }: Response): void {
  const fault = headers.get('sandbox-fault')
  if (fault !== null) writeWarning(`The fault ${fault} hit this call.`)
  const said = headers.get('sandbox-warnings') ?? ''
  for (const [, text = ''] of said.matchAll(/="([^"]*)"/g)) writeWarning(text)
}
