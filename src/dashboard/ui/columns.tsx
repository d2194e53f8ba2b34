/** The columns of tables, which are also the facts of a record: a name, and the value of a row. */
import type { Child } from 'hono/jsx'
import { RecordLink, type RecordPlace } from './links.tsx'
import { At, MoneyText, Nothing, StatusBadge, Text } from './values.tsx'

export interface Column<Row> extends ColumnLook {
  readonly name: string
  readonly cell: (row: Row) => Child
}

interface ColumnLook {
  /** Amounts and counts are aligned at the right. */
  readonly isNumber?: boolean
  /** Sentences take several lines. */
  readonly wraps?: boolean
}

type With<Key extends string, Value> = Readonly<Record<Key, Value>>

/** Makes columns that show the value under a key in one way. */
function columnOf<Value>(show: (value: Value) => Child, look: ColumnLook = {}) {
  return <Key extends string>(name: string, key: Key): Column<With<Key, Value>> => ({
    name,
    cell: (row) => show(row[key]),
    ...look,
  })
}

export const instant = columnOf<string | null | undefined>((at) => <At instant={at} />)
export const text = columnOf<string | number | null | undefined>((value) => <Text value={value} />)
export const sentence = columnOf<string>((value) => value, { wraps: true })
export const count = columnOf<number>(String, { isNumber: true })
/** A word of the API, with spaces for underscores. */
export const words = columnOf<string>((value) => value.replaceAll('_', ' '))

/** A link to the record whose id is under a key. */
export function link<Key extends string>(name: string, place: RecordPlace, key: Key) {
  const show = (id: string | null) =>
    id === null ? <Nothing /> : <RecordLink {...{ place, id }} />
  return columnOf(show)(name, key)
}

export function status(name = 'Status'): Column<With<'status', string>> {
  return columnOf<string>((value) => <StatusBadge status={value} />)(name, 'status')
}

/** An amount in the currency of its row. */
export function money<Key extends string>(
  name: string,
  key: Key,
): Column<With<Key, number> & With<'currency', string>> {
  return {
    name,
    cell: (row) => <MoneyText amount={row[key]} currency={row.currency} />,
    isNumber: true,
  }
}

/** The facts of one record, as a table would show them. */
export function factsOf<Row>(
  row: Row,
  columns: readonly Column<Row>[],
): (readonly [string, Child])[] {
  return columns.map(({ name, cell }) => [name, cell(row)])
}
