/**
 * Commands that call an operation of a running sandbox, made from its declaration and its row of names: what is in its
 * path is an argument, what is in its body or its query is an option.
 */
import { Argument, type Command, Option } from 'commander'
import * as z from 'zod'
import { operationCommands } from '../operations/names.ts'
import type { OperationCommand } from '../operations/naming.ts'
import type { Declaration } from '../surface/operation.ts'
import { fieldsOf, unwrap } from '../surface/schema-walk.ts'
import { addConnectionOptions, ask, type Connection, connectionOf } from './connection.ts'
import { type Declarations, declarationFor, declarations } from './declarations.ts'
import {
  bodyIn,
  descriptionOf,
  type Field,
  leavesOf,
  optionOf,
  putAt,
  readValue,
} from './fields.ts'
import { operationRequest, requestPath } from './operation-request.ts'
import { answerText } from './output.ts'
import { type OperationValues, type Overrides, overrides } from './overrides.ts'
import { asTyped, type TypedField } from './refusal-text.ts'
import { type Configure, ExitCode, examplesText, nameOf } from './usage.ts'

/** Which commands there are, and the operations that they call. */
interface Surface {
  readonly commands: readonly OperationCommand[]
  readonly declared: Declarations
}

/** What follows a word: one command, or several. */
export function groupCommand(
  group: string,
  { commands, declared }: Surface = { commands: operationCommands, declared: declarations },
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
    command.addHelpText('after', examplesText(...rows.map(({ example }) => example)))
  }
}

/** A field, and what gives its value: the option with this attribute, or an argument. */
interface Input extends Field {
  readonly label: string
  readonly attribute: string | null
}

function addOperation(command: Command, row: OperationCommand, surface: Declarations): void {
  const declared = declarationFor(row.operationId, surface)
  const override = overrides[row.words] ?? {}
  command.description(`${declared.summary}. ${declared.description}`)
  const inPath = Object.entries(declared.params?.shape ?? {})
  for (const [name, schema] of inPath) {
    const short = name.endsWith('_id') ? 'id' : name
    const placeholder = row.unnamed === undefined ? `<${short}>` : `[${short}]`
    command.addArgument(new Argument(placeholder, descriptionOf(schema as z.ZodType)))
  }
  const inputs = inputsOf(declared, row).map((field) => addInput(command, field, { row, declared }))
  override.add?.(command)
  if (declared.body !== undefined) {
    const body = new Option('--body <file>', 'take the body from a file of JSON; - is stdin')
    command.addOption(body.makeOptionMandatory(row.without?.includes('*') ?? false))
  }
  if (row.follow !== undefined) command.option('--follow', 'go on with what happens from now on')
  addConnectionOptions(command)
  if (!answersText(declared))
    command.option('--json', 'print what the operation answers, if anything')
  command.addHelpText('after', examplesText(row.example))
  command.action(async (...typed: unknown[]) => {
    const values = command.opts<OperationValues>()
    const texts = typed.slice(0, command.registeredArguments.length) as (string | undefined)[]
    const rest = texts.slice(inPath.length + inputs.filter(isArgument).length).flat()
    const ids = texts.slice(0, inPath.length)
    const call: TypedCall = { row, override, values, ids, surface, rest: rest as string[] }
    const read = readFields(inputs, texts.slice(inPath.length), values)
    await run(call, read, connectionOf(command, values)).catch((failure: unknown) => {
      const inWords = (sentence: string) => override.inTypedWords?.(sentence, call) ?? sentence
      throw asTyped(failure, { fields: typedFields(command, inputs, values), inWords })
    })
  })
}

/** Whether an operation answers anything but JSON, such as a script. */
function answersText({ replies }: Declaration): boolean {
  return Object.values(replies).some(({ mediaType = 'json' }) => !mediaType.includes('json'))
}

/** The fields that can be typed. */
function inputsOf({ query, body }: Declaration, { without = [] }: OperationCommand) {
  const schema = query ?? body?.schema
  if (schema === undefined || without.includes('*')) return []
  return leavesOf(schema).filter(({ path }) => !without.includes(path[0] ?? ''))
}

interface Place {
  readonly row: OperationCommand
  readonly declared: Declaration
}

function addInput(command: Command, field: Field, { row, declared }: Place): Input {
  const name = field.path.join('.')
  if (row.args?.includes(name)) {
    const short = name.replace(/_id$/, '')
    const placeholder = isRequired(declared, name) ? `<${short}>` : `[${short}]`
    command.addArgument(new Argument(placeholder, field.description))
    return { ...field, attribute: null, label: name }
  }
  const option = optionOf(field, row.options?.[name])
  command.addOption(option)
  return { ...field, attribute: option.attributeName(), label: option.long ?? '' }
}

function isArgument({ attribute }: Input): boolean {
  return attribute === null
}

/** Whether a field must be there, whatever else is. */
function isRequired({ body }: Declaration, name: string): boolean {
  const schema = body && unwrap(body.schema)
  const field = schema instanceof z.ZodObject ? fieldsOf(schema).get(name) : undefined
  return field !== undefined && !field.safeParse(undefined).success
}

/** What the server may name, and what is typed for it here; a field that a file may give keeps its own name. */
function typedFields(
  command: Command,
  inputs: readonly Input[],
  values: OperationValues,
): TypedField[] {
  const options = inputs.filter(
    ({ attribute }) =>
      attribute !== null && (values.body === undefined || values[attribute] !== undefined),
  )
  const fields = options.map(({ path, label }) => ({ name: path.join('.'), label }))
  return [...fields, { name: 'Sandbox-Id', label: nameOf(command, 'sandbox') }]
}

function readFields(
  inputs: readonly Input[],
  args: readonly (string | undefined)[],
  values: OperationValues,
): Record<string, unknown> {
  const read = values.body === undefined ? {} : bodyIn(values.body)
  const left = [...args]
  const typed = inputs.map((input) => ({
    ...input,
    text: input.attribute === null ? left.shift() : values[input.attribute],
  }))
  const inOrder = [...typed.filter((each) => !isArgument(each)), ...typed.filter(isArgument)]
  for (const { path, schema, label, text } of inOrder) {
    if (text !== undefined) putAt(read, path, readValue(label, schema, text as string | true))
  }
  return read
}

/** A command as it was typed. */
interface TypedCall {
  readonly row: OperationCommand
  readonly override: Overrides
  readonly surface: Declarations
  readonly values: OperationValues
  /** What stands in the path; undefined where it was left out. */
  readonly ids: readonly (string | undefined)[]
  /** What a command takes beyond its operation. */
  readonly rest: readonly string[]
}

async function run(call: TypedCall, read: Record<string, unknown>, connection: Connection) {
  const { row, values, override, ids, rest, surface } = call
  if (values.follow && row.follow !== undefined) {
    const { followStream } = await import('./follow.ts')
    const path = requestPath(declarationFor(row.follow, surface), [], read)
    return followStream(connection, path, { row, isJson: values.json ?? false })
  }
  const fields = override.adjust?.(read, { connection, values, rest }) ?? read
  const isNamed = ids.every((id) => id !== undefined)
  const declared = declarationFor((isNamed ? null : row.unnamed) ?? row.operationId, surface)
  const reply = ask(
    connection,
    operationRequest(declared, { ids, fields, sandbox: connection.sandbox }),
  )
  const answer = await (override.withProgress?.(reply, connection) ?? reply)
  writeWarnings(answer)
  const text = await answer.text()
  const isJson = (answer.headers.get('content-type') ?? '').includes('json')
  const isShown = isJson && !values.json && !override.isRaw
  process.stdout.write(isShown ? await answerText(JSON.parse(text), row) : withLineEnd(text))
  if (override.isNo && isJson && override.isNo(JSON.parse(text))) process.exitCode = ExitCode.no
}

/** What surprises people about an answer, for people: standard output has the answer alone. */
function writeWarnings({ headers }: Response): void {
  const said = headers.get('sandbox-warnings') ?? ''
  for (const [, text] of said.matchAll(/="([^"]*)"/g)) process.stderr.write(`Warning: ${text}\n`)
}

function withLineEnd(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`
}
