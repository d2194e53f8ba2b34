/** Tables, lists of facts, pagers and what stands where there is nothing. */
import type { Child, FC, PropsWithChildren } from 'hono/jsx'
import type { Query, Visit } from '../visit.ts'

interface Column<Row> {
  readonly name: string
  readonly cell: (row: Row) => Child
  /** Amounts and counts stand at the right. */
  readonly isNumber?: boolean
  /** Sentences take several lines. */
  readonly wraps?: boolean
}

interface TableProps<Row> {
  /** What it lists, for those who do not see it. */
  readonly caption: string
  readonly rows: readonly Row[]
  readonly columns: readonly Column<Row>[]
  /** What stands in its place where there is no row. */
  readonly empty?: Child
}

/** One row for each record; on a narrow screen it scrolls by itself. */
export function Table<Row>({ caption, rows, columns, empty }: TableProps<Row>) {
  if (rows.length === 0 && empty !== undefined) return <div>{empty}</div>
  return (
    <section class="scrolls" tabindex={0} aria-label={caption}>
      <table>
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ name, isNumber }) => (
              <th scope="col" class={isNumber ? 'right' : ''}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr>
              {columns.map(({ cell, ...look }) => (
                <td class={classOf(look)}>{cell(row)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function classOf({ isNumber, wraps }: { isNumber?: boolean; wraps?: boolean }): string {
  if (isNumber) return 'right'
  return wraps ? 'wraps' : ''
}

export type NamedValue = readonly [name: string, value: Child]

/** Facts about one record: a name and a value each. */
export const Facts: FC<{ facts: readonly NamedValue[] }> = ({ facts }) => (
  <dl class="facts">
    {facts.map(([name, value]) => (
      <div>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)

/** A part of a page with its heading, and what can be done about it beside that. */
export const Section: FC<PropsWithChildren<{ title: Child; id?: string; actions?: Child }>> = ({
  title,
  id,
  actions,
  children,
}) => (
  <section id={id}>
    <div class="heading">
      <h2>{title}</h2>
      {actions !== undefined && <div class="actions">{actions}</div>}
    </div>
    {children}
  </section>
)

/** The heading of a page, and what can be done on it. */
export const Heading: FC<PropsWithChildren<{ title: Child; note?: Child }>> = ({
  title,
  note,
  children,
}) => (
  <div class="heading">
    <h1>{title}</h1>
    {note}
    <div class="actions">{children}</div>
  </div>
)

/** Says that there is nothing, and what to do next. */
export const Empty: FC<PropsWithChildren> = ({ children }) => <div class="empty">{children}</div>

/** Leads to the next page of a list, and back to the first. */
export const Pager: FC<{
  visit: Visit
  path: string
  /** What else the list is asked for with. */
  query?: Query
  next: string | number | null
}> = ({ visit, path, query = {}, next }) => {
  const isFirst = visit.query('after') === undefined
  if (isFirst && next === null) return null
  return (
    <nav class="pager" aria-label="Pages of this list">
      {isFirst ? null : <a href={visit.to(path, query)}>First page</a>}
      {next === null ? null : (
        <a href={visit.to(path, { ...query, after: next })} rel="next">
          Next page
        </a>
      )}
    </nav>
  )
}
