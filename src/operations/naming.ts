/** What a row of names says, and what follows from it: the CLI command, the library's and Python's method, the agents' tool. */
import { snakeKey } from '../wire/common/case.ts'

/** A way in does without the operation, for this reason. */
export interface LeftOut {
  readonly leftOut: string
}

/** A method takes other values than the operation, so that somebody wrote it: this one. */
export interface ByHand {
  readonly byHand: string
}

/** What people type for an operation, beyond what its declaration says. */
export interface CommandNames {
  /** Fields that are written without an option, after the parameters of the path. */
  readonly args?: readonly string[]
  /** Options that are not called what their field is. */
  readonly options?: Readonly<Record<string, string>>
  /** Fields that have no option. */
  readonly without?: readonly string[]
  /** The operation that is called where the parameter of the path is left out. */
  readonly unnamed?: string
  /** The operation that streams what happens from now on, with `--follow`. */
  readonly follow?: string
}

export interface FurtherCommand extends CommandNames {
  /** What is typed: `coupons create`. */
  readonly words: string
  /** What the help shows: in a row of names behind the words, in a CLI command the whole line. */
  readonly example: string
}

/** What does not follow from a row of names: what is typed, and where a way in has another method, or none. */
export interface NameDetails extends CommandNames {
  /** The words of the CLI command, where they are not those of the method. */
  readonly command?: string | LeftOut
  readonly library?: ByHand | LeftOut
  readonly python?: string | ByHand | LeftOut
  readonly also?: FurtherCommand
}

/**
 * How people call one operation: the method of a program, `subscriptions.create`; the tool of an agent, with what
 * chooses the operation where a tool has several; and what an example of its CLI command has behind the words.
 */
export type NameRow = readonly [
  method: string,
  tool: string | LeftOut,
  example: string,
  details?: NameDetails,
]

/** A row for each operation, or why people do not call it. */
export type NameTable = Readonly<Record<string, NameRow | LeftOut>>

/** A table of which some rows have details. */
export function withDetails<Table extends NameTable>(
  table: Table,
  details: { readonly [Id in keyof Table]?: NameDetails },
): Table {
  const rows = Object.entries(table).map(([id, row]) => {
    const own = details[id]
    return [id, own === undefined || 'leftOut' in row ? row : [row[0], row[1], row[2], own]]
  })
  return Object.fromEntries(rows)
}

const listed: LeftOut = { leftOut: 'list_records shows all of it' }

type RecordVerb = 'create' | 'retrieve' | 'change' | 'delete'

/** The rows of a kind of record that can be made, changed and deleted. */
export function recordRows<const Name extends string>(
  name: Name,
  { id, create, change }: Record<'id' | 'create' | 'change', string>,
): Record<`list${Name}s` | `${RecordVerb}${Name}`, NameRow> {
  const kind = name.toLowerCase()
  const methods = `${kind}s`
  const key = name === 'Promotion' ? 'code' : `${kind}_id`
  const options = key === 'code' ? {} : { [key]: 'id' }
  const changing = { command: `${methods} change` }
  const rows: Record<`list` | RecordVerb, NameRow> = {
    list: [`${methods}.list`, `list_records ${methods}`, ''],
    create: [`${methods}.create`, `create_record ${kind}`, create, { options }],
    retrieve: [`${methods}.get`, name === 'Product' ? listed : `get_record ${kind}`, id],
    change: [`${methods}.update`, `change_record ${kind}`, `${id} ${change}`, changing],
    delete: [`${methods}.delete`, `delete_record ${kind}`, id],
  }
  const named = Object.entries(rows).map(([verb, row]) => [
    `${verb}${name}${verb === 'list' ? 's' : ''}`,
    row,
  ])
  return Object.fromEntries(named)
}

export interface OperationCommand extends FurtherCommand {
  readonly operationId: string
}

/** Every CLI command, in the order of the table. */
export function commandsOf(table: NameTable): OperationCommand[] {
  return rowsOf(table).flatMap(([operationId, [method, , example, details = {}]]) => {
    const { command = wordsOf(method), also, ...own } = details
    if (typeof command !== 'string') return []
    return [{ words: command, example, ...own }, also ?? []].flat().map((each) => ({
      ...each,
      operationId,
      // What `list` and `show` print, their group prints alone.
      example: `${each.words.replace(/ (list|show)$/, '')} ${each.example}`.trim(),
    }))
  })
}

/** The operation of each method of a language; those that are written by hand are left out. */
export function methodsIn(
  language: 'library' | 'python',
  table: NameTable,
): [method: string, operationId: string][] {
  return rowsOf(table).flatMap(([operationId, [method, , , details]]) => {
    const name = details?.[language] ?? (language === 'python' ? snakeKey(method) : method)
    return typeof name === 'string' ? [[name, operationId]] : []
  })
}

/** The operations of a tool, each by what chooses it; by the empty text where the tool has one. */
export function operationsOfTool(table: NameTable, wanted: string): Record<string, string> {
  return Object.fromEntries(
    rowsOf(table).flatMap(([operationId, [, tool]]) => {
      const [name, choice = ''] = typeof tool === 'string' ? tool.split(' ') : []
      return name === wanted ? [[choice, operationId]] : []
    }),
  )
}

function rowsOf(table: NameTable): [operationId: string, row: NameRow][] {
  return Object.entries(table).flatMap(([operationId, row]): [string, NameRow][] =>
    'leftOut' in row ? [] : [[operationId, row]],
  )
}

/** `subscriptions.applyCoupon` as it is typed: `subscriptions apply-coupon`. */
function wordsOf(method: string): string {
  return snakeKey(method).replace('.', ' ').replaceAll('_', '-')
}

/** The command that starts a server at an address: at its port, if it is an address of this machine. */
export function startCommand(address: string): string {
  const { hostname, port } = new URL(address)
  const isUsual = port === '4010' || !/^(localhost|127\.0\.0\.1)$/.test(hostname)
  return `npx subscription-sandbox serve${isUsual ? '' : ` --port ${port || 80}`}`
}
