/** The parts of a page: tables, facts, sections, pagers, and the text in place of an empty list. */
import type { Child, FC, PropsWithChildren } from 'hono/jsx'
import type { Column } from './columns.tsx'
import { type Query, usePage } from './page-context.ts'

interface TableProps<Row> {
  /** What it lists, for those who do not see it. */
  readonly caption: string
  readonly rows: readonly Row[]
  readonly columns: readonly Column<Row>[]
  /** Shown in its place if it has no row. */
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
              {columns.map(({ cell, isNumber, wraps }) => (
                <td class={(isNumber && 'right') || (wraps && 'wraps') || ''}>{cell(row)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
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

/** A part of a page with its heading and its actions. */
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

/** The heading of a page, with its actions. */
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

/** As `Empty`, in a sentence and what leads on. */
export function emptyText(none: Child, next?: Child): Child {
  return (
    <Empty>
      <p>{none}</p>
      {next !== undefined && <p>{next}</p>}
    </Empty>
  )
}

/** How many more there are than those that are shown. */
export const More: FC<{ count: number; of?: string }> = ({ count, of }) =>
  count > 0 ? <p class="hint">{`and ${count}${of ? ` ${of}` : ''} more`}</p> : null

/** Leads to the next page of a list, and back to the first. */
export const Pager: FC<{
  path: string
  /** The rest of the query of the list. */
  query?: Query
  next: string | number | null
}> = ({ path, query = {}, next }) => {
  const page = usePage()
  const isFirst = page.query('after') === undefined
  if (isFirst && next === null) return null
  return (
    <nav class="pager" aria-label="Pages of this list">
      {isFirst ? null : <a href={page.to(path, query)}>First page</a>}
      {next === null ? null : (
        <a href={page.to(path, { ...query, after: next })} rel="next">
          Next page
        </a>
      )}
    </nav>
  )
}

/** One line of a calculation. */
export type SumRow = readonly [label: Child, figure: Child]

/** A calculation, line by line; the last line is its result. */
export const Sums: FC<{ caption: string; rows: readonly SumRow[] }> = ({ caption, rows }) => (
  <table class="sums">
    <caption class="unseen">{caption}</caption>
    <tbody>
      {rows.map(([label, figure]) => (
        <tr>
          <th scope="row">{label}</th>
          <td class="right">{figure}</td>
        </tr>
      ))}
    </tbody>
  </table>
)
