/**
 * Commands that call an operation of a sandbox that runs, made from the declaration of the operation: what is in its path
 * is an argument, what is in its body or its query is an option.
 */
import { readFileSync } from 'node:fs'
import { Argument, type Command, Option } from 'commander'
import * as z from 'zod'
import { apiKeyOf } from '../sandbox/sandbox-parts.ts'
import type { Declaration } from '../surface/operation.ts'
import { fieldsOf, unwrap } from '../surface/schema-walk.ts'
import {
  addConnectionOptions,
  ask,
  type Connection,
  type ConnectionValues,
  connectionOf,
} from './connection.ts'
import { type Customs, customs } from './customs.ts'
import { declarationFor } from './declarations.ts'
import {
  descriptionOf,
  type Field,
  leavesOf,
  optionOf,
  putAt,
  readJson,
  readValue,
} from './fields.ts'
import { type OperationRow, operationRows } from './operations.ts'
import { asTyped, type TypedField } from './refusal-text.ts'
import { answerText } from './shown.ts'
import { CannotRun, type Configure, ExitCode, examplesText, nameOf, UsageError } from './usage.ts'

/** What follows a word: one command, or several. */
export function groupCommand(group: string): Configure {
  const rows = operationRows.filter(({ words }) => words.split(' ')[0] === group)
  return (command) => {
    const [only] = rows
    if (rows.length === 1 && only?.words === group) {
      addOperation(command, only)
      return
    }
    for (const row of rows) {
      const name = row.words.slice(group.length + 1)
      addOperation(command.command(name).summary(summaryOf(row)), row)
    }
    command.addHelpText('after', examplesText(...rows.map(({ example }) => example)))
  }
}

/** Whether an operation answers anything but JSON, such as a script. */
function answersText({ replies }: Declaration): boolean {
  return Object.values(replies).some(({ mediaType = 'json' }) => !mediaType.includes('json'))
}

function summaryOf({ operationId }: OperationRow): string {
  const { summary } = declarationFor(operationId)
  return `${summary.charAt(0).toLowerCase()}${summary.slice(1)}`
}

/** A field that an argument or an option gives, and the name that values come under. */
interface Given extends Field {
  readonly attribute: string
  readonly label: string
}

function addOperation(command: Command, row: OperationRow): void {
  const declared = declarationFor(row.operationId)
  const custom = customs[row.words] ?? {}
  command.description(`${declared.summary}. ${declared.description}`)
  const inPath = Object.entries(declared.params?.shape ?? {})
  for (const [name, schema] of inPath) {
    const short = name.endsWith('_id') ? 'id' : name
    const placeholder = row.unnamed === undefined ? `<${short}>` : `[${short}]`
    command.addArgument(new Argument(placeholder, descriptionOf(schema as z.ZodType)))
  }
  const fields = fieldsIn(declared, row)
  const args = fields.filter(({ path }) => row.args?.includes(path.join('.')))
  for (const field of args) {
    const name = field.path.join('.')
    const short = name.replace(/_id$/, '')
    const placeholder = isRequired(declared, name) ? `<${short}>` : `[${short}]`
    command.addArgument(new Argument(placeholder, field.description))
  }
  const given = fields
    .filter((field) => !args.includes(field))
    .map((field): Given => {
      const option = optionOf(field, row.names?.[field.path.join('.')])
      command.addOption(option)
      return { ...field, attribute: option.attributeName(), label: option.long ?? '' }
    })
  custom.add?.(command)
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
    const inArgs = args.map((field, at) => ({ field, text: texts[inPath.length + at] }))
    const rest = typed[inPath.length + args.length]
    const order: Order = {
      ...{ row, declared, custom, values, ids: texts.slice(0, inPath.length) },
      rest: Array.isArray(rest) ? rest : [],
    }
    const read = readFields(given, inArgs, values)
    await run(order, read, connectionOf(command, values)).catch((failure: unknown) => {
      const inWords = (sentence: string) => custom.inTypedWords?.(sentence, order) ?? sentence
      throw asTyped(failure, { fields: typedFields(command, given, values), inWords })
    })
  })
}

/** What the server may name, and what is typed for it here; a field that a file may give keeps its own name. */
function typedFields(
  command: Command,
  given: readonly Given[],
  values: OperationValues,
): TypedField[] {
  const typed = given.filter(
    ({ attribute }) => values.body === undefined || values[attribute] !== undefined,
  )
  const fields = typed.map(({ path, label }) => ({ name: path.join('.'), label }))
  return [...fields, { name: 'Sandbox-Id', label: nameOf(command, 'sandbox') }]
}

interface OperationValues extends ConnectionValues {
  readonly [attribute: string]: unknown
  readonly json?: boolean
  readonly body?: string
  readonly follow?: boolean
}

/** A command as it was typed. */
interface Order {
  readonly row: OperationRow
  readonly declared: Declaration
  readonly custom: Customs
  readonly values: OperationValues
  /** What stands in the path; undefined where it was left out. */
  readonly ids: readonly (string | undefined)[]
  /** What a command takes beyond its operation. */
  readonly rest: readonly string[]
}

function fieldsIn(declared: Declaration, { without = [] }: OperationRow): Field[] {
  const schema = declared.query ?? declared.body?.schema
  if (schema === undefined || without.includes('*')) return []
  return leavesOf(schema).filter(({ path }) => !without.includes(path[0] ?? ''))
}

/** Whether a field must be there, whatever else is. */
function isRequired({ body }: Declaration, name: string): boolean {
  const schema = body && unwrap(body.schema)
  const field = schema instanceof z.ZodObject ? fieldsOf(schema).get(name) : undefined
  return field !== undefined && !field.safeParse(undefined).success
}

function readFields(
  given: readonly Given[],
  inArgs: readonly { readonly field: Field; readonly text: string | undefined }[],
  values: OperationValues,
): Record<string, unknown> {
  const read = values.body === undefined ? {} : bodyIn(values.body)
  for (const { path, schema, attribute, label } of given) {
    const typed = values[attribute] as string | true | undefined
    if (typed !== undefined) putAt(read, path, readValue(label, schema, typed))
  }
  for (const { field, text } of inArgs) {
    if (text !== undefined)
      putAt(read, field.path, readValue(field.path.join('.'), field.schema, text))
  }
  return read
}

/** The body in a file. Throws `UsageError` where it is no JSON. */
function bodyIn(file: string): Record<string, unknown> {
  const body = readJson('--body', textIn(file))
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) {
    return body as Record<string, unknown>
  }
  throw new UsageError('--body must be a JSON object.')
}

function textIn(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8')
  } catch (error) {
    throw new CannotRun(`--body "${file}" cannot be read: ${(error as Error).message}`)
  }
}

async function run(order: Order, read: Record<string, unknown>, connection: Connection) {
  const { row, values, custom } = order
  if (values.follow && row.follow !== undefined) {
    const { followStream } = await import('./follow.ts')
    const path = requestPath(declarationFor(row.follow), [], read)
    return followStream(connection, path, { row, isJson: values.json ?? false })
  }
  const fields = custom.adjust?.(read, { connection, values, rest: order.rest }) ?? read
  const isNamed = order.ids.every((id) => id !== undefined)
  const declared = isNamed ? order.declared : declarationFor(row.unnamed ?? '')
  const asking = ask(connection, requestOf(declared, { ids: order.ids, fields, connection }))
  const answer = await (custom.during?.(asking, connection) ?? asking)
  writeWarnings(answer)
  const text = await answer.text()
  const isShown = isJson(answer) && !values.json && !custom.isRaw
  process.stdout.write(isShown ? await answerText(JSON.parse(text), row) : withLineEnd(text))
  if (custom.isNo && isJson(answer) && custom.isNo(JSON.parse(text))) process.exitCode = ExitCode.no
}

/** What surprises people about an answer, for people: standard output has the answer alone. */
function writeWarnings({ headers }: Response): void {
  const said = headers.get('sandbox-warnings') ?? ''
  for (const [, text] of said.matchAll(/="([^"]*)"/g)) process.stderr.write(`Warning: ${text}\n`)
}

function isJson(answer: Response): boolean {
  return (answer.headers.get('content-type') ?? '').includes('json')
}

function withLineEnd(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`
}

/** Fields as a form or a query writes them. */
function formOf(fields: Readonly<Record<string, unknown>>): URLSearchParams {
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) form.set(name, String(value))
  return form
}

interface Content {
  readonly ids: readonly (string | undefined)[]
  readonly fields: Record<string, unknown>
  readonly connection: Connection
}

function requestOf(declared: Declaration, { ids, fields, connection }: Content) {
  const { method, body, security } = declared
  const path = requestPath(declared, ids, declared.query === undefined ? {} : fields)
  const key = security === 'refresh_token' ? fields['refresh_token'] : apiKeyOf(connection.sandbox)
  const authorization = security === 'none' ? {} : { Authorization: `Bearer ${key}` }
  const isEmpty = Object.keys(fields).length === 0
  if (body === undefined || (isEmpty && !body.required)) {
    return { method: method.toUpperCase(), path, headers: authorization }
  }
  // A form where it is taken, because that is what the interface shows.
  if (body.media.includes('form')) {
    return { method: method.toUpperCase(), path, headers: authorization, body: formOf(fields) }
  }
  const headers = { ...authorization, 'Content-Type': 'application/json' }
  return { method: method.toUpperCase(), path, headers, body: JSON.stringify(fields) }
}

function requestPath(
  { path }: Declaration,
  ids: readonly (string | undefined)[],
  query: Readonly<Record<string, unknown>>,
): string {
  const left = [...ids]
  const filled = path.replace(/\{\w+\}/g, () => encodeURIComponent(left.shift() ?? ''))
  const search = formOf(query)
  return search.size === 0 ? filled : `${filled}?${search}`
}
