/** The columns of tables, which are also the facts of a record: a name, and the value of a row. */
import type { Child } from 'hono/jsx'
import { RecordLink, type RecordPlace } from './links.tsx'
import { At, MoneyText, Nothing, StatusBadge, Text } from './values.tsx'

export interface Column<Row> {
  readonly name: string
  readonly cell: (row: Row) => Child
  /** Amounts and counts stand at the right. */
  readonly isNumber?: boolean
  /** Sentences take several lines. */
  readonly wraps?: boolean
}

type With<Key extends string, Value> = Readonly<Record<Key, Value>>

/** A link to the record whose id is under a key. */
export function link<Key extends string>(
  name: string,
  place: RecordPlace,
  key: Key,
): Column<With<Key, string | null>> {
  return {
    name,
    cell: ({ [key]: id }) => (id === null ? <Nothing /> : <RecordLink place={place} id={id} />),
  }
}

export function status(name = 'Status'): Column<With<'status', string>> {
  return { name, cell: (row) => <StatusBadge status={row.status} /> }
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

export function instant<Key extends string>(
  name: string,
  key: Key,
): Column<With<Key, string | null | undefined>> {
  return { name, cell: (row) => <At instant={row[key]} /> }
}

export function text<Key extends string>(
  name: string,
  key: Key,
): Column<With<Key, string | number | null | undefined>> {
  return { name, cell: (row) => <Text value={row[key]} /> }
}

/** A text that takes several lines. */
export function sentence<Key extends string>(name: string, key: Key): Column<With<Key, string>> {
  return { name, cell: (row) => row[key], wraps: true }
}

/** A word of the API, with spaces for underscores. */
export function words<Key extends string>(name: string, key: Key): Column<With<Key, string>> {
  return { name, cell: (row) => row[key].replaceAll('_', ' ') }
}

export function count<Key extends string>(name: string, key: Key): Column<With<Key, number>> {
  return { name, cell: (row) => String(row[key]), isNumber: true }
}

/** The facts of one record, as a table would show them. */
export function factsOf<Row>(
  row: Row,
  columns: readonly Column<Row>[],
): (readonly [string, Child])[] {
  return columns.map(({ name, cell }) => [name, cell(row)])
}
