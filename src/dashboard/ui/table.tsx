/** The parts of a page: tables, facts, sections, pagers, and the text in place of an empty list. */
import type { Child, FC, PropsWithChildren } from 'hono/jsx'
import { prose } from './links.tsx'
import { type Query, usePage } from './page-context.ts'
import { type ColumnOf, columnsOf, MoneyText, sumsOf } from './values.tsx'

/** One part of a list, as the control plane answers it. */
export interface ListPart<Row> {
  readonly data: readonly Row[]
  readonly next_after: string | number | null
}

interface TableProps<Row> {
  /** The heading of the section around it; without one, there is no section. */
  readonly title?: string
  readonly id?: string
  readonly actions?: Child
  /** What it lists, for those who do not see it; by default its title. */
  readonly caption?: string
  /** All rows, or one part of a list, which has a pager; null for one that was refused. */
  readonly rows: readonly Row[] | ListPart<Row> | null
  readonly columns: readonly ColumnOf<Row>[]
  /** The text in its place if it has no row, a paragraph for each line; null to show nothing. */
  readonly empty?: string | null
  /** Whether its amounts are summed below it, as those of each part of a list are. */
  readonly hasSums?: boolean | undefined
  readonly more?: number
}

/** A table, alone or in a section, and what follows it. */
export function Table<Row extends object>(props: PropsWithChildren<TableProps<Row>>) {
  const { title, id, actions, rows, empty, hasSums, children } = props
  const part = rows ?? { data: [], next_after: null }
  const list = 'data' in part ? part : { data: part, next_after: undefined }
  if (list.data.length === 0 && empty === null) return null
  const isPart = list.next_after !== undefined
  const parts = (
    <>
      {isPart && list.data.length > 1 && <OrderLink />}
      {list.data.length === 0 && empty ? (
        <Empty text={empty} />
      ) : (
        <Rows {...props} rows={list.data} hasSums={(isPart || hasSums) && list.data.length > 1} />
      )}
      {isPart && <Pager next={list.next_after} />}
      <More count={props.more ?? 0} />
      {children}
    </>
  )
  if (title === undefined) return parts
  return (
    <Section title={title} id={id} actions={actions}>
      {parts}
    </Section>
  )
}

/**
 * The ids of rows, by which a page that changes finds the row of each record again. A record begins with what names it;
 * rows that begin alike, or with no such thing, are found by their place.
 */
function rowIds(caption = '', rows: readonly object[]) {
  const names: unknown[] = rows.map((row) => Object.values(row)[0])
  return names.map((name, at) => {
    const isName = /string|number/.test(typeof name) && names.indexOf(name) === at
    return isName ? `${caption} ${name}`.replace(/\s+/g, '_') : undefined
  })
}

/** One row for each record; on a narrow screen it scrolls by itself. */
function Rows<Row extends object>(props: TableProps<Row> & { readonly rows: readonly Row[] }) {
  const { caption = props.title, rows, hasSums } = props
  const shown = columnsOf(props.columns)
  const sums = hasSums ? shown.map((column) => sumsOf(column, rows)) : []
  const ids = rowIds(caption, rows)
  return (
    <section class="scrolls" tabindex={0} aria-label={caption}>
      <table>
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            {shown.map(({ name, field, isNumber }) => (
              <th scope="col" class={isNumber ? 'right' : ''} title={field}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr id={ids[at]}>
              {shown.map(({ cell, isNumber, wraps }) => (
                <td class={(isNumber && 'right') || (wraps && 'wraps') || ''}>{cell(row)}</td>
              ))}
            </tr>
          ))}
        </tbody>
        {sums.some(({ length }) => length > 0) && (
          <tfoot>
            <tr>
              <th scope="row">Sum of these</th>
              {sums.slice(1).map((each) => (
                <td class="right">
                  {each.map((sum) => (
                    <div>
                      <MoneyText {...sum} />
                    </div>
                  ))}
                </td>
              ))}
            </tr>
          </tfoot>
        )}
      </table>
    </section>
  )
}

export type NamedValue = readonly [name: string, value: Child, field?: string | undefined]

/** The name of a field in the API, beside the label that stands for it; nothing where both are the same word. */
export const ApiName: FC<{ field: string | undefined; label: string }> = ({ field, label }) =>
  field && field !== label.toLowerCase() ? <code class="api"> {field}</code> : null

export const Facts: FC<{ facts: readonly NamedValue[] }> = ({ facts }) => (
  <dl class="facts">
    {facts.map(([name, value, field]) => (
      <div>
        <dt>
          {name}
          <ApiName field={field} label={name} />
        </dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)

export function countFacts(counts: Readonly<Record<string, number>>): NamedValue[] {
  return Object.entries(counts).map(([kind, count]) => [kind.replaceAll('_', ' '), String(count)])
}

export const Section: FC<
  PropsWithChildren<{ title: Child; id?: string | undefined; actions?: Child }>
> = ({ title, id, actions, children }) => (
  <section id={id}>
    <div class="heading">
      <h2>{title}</h2>
      {actions !== undefined && <div class="actions">{actions}</div>}
    </div>
    {children}
  </section>
)

/** Says that there is nothing, and what to do next: a paragraph for each line. */
export const Empty: FC<PropsWithChildren<{ text: string }>> = ({ text, children }) => (
  <div class="empty">
    {children}
    {text.split('\n').map((line) => (
      <p>{prose(line)}</p>
    ))}
  </div>
)

/** How many more there are than those that are shown. */
export const More: FC<{ count: number }> = ({ count }) =>
  count > 0 ? <p class="hint">{`and ${count} more`}</p> : null

/** Leads to the other order of the list that this page shows a part of. */
export const OrderLink: FC = () => {
  const page = usePage()
  const isOldest = page.query('order') === 'oldest'
  return (
    <p class="order">
      <a href={page.hereWith({ order: isOldest ? null : 'oldest', after: null })}>
        {isOldest ? 'Newest first' : 'Oldest first'}
      </a>
    </p>
  )
}

/** Leads to the next page of the list that this page shows a part of, and back to the first. */
export const Pager: FC<{ next: string | number | null; query?: Query }> = ({ next, query }) => {
  const page = usePage()
  const isFirst = page.query('after') === undefined
  if (isFirst && next === null) return null
  return (
    <nav class="pager" aria-label="Pages of this list">
      {!isFirst && <a href={page.hereWith({ ...query, after: null })}>First page</a>}
      {next !== null && (
        <a href={page.hereWith({ ...query, after: next })} rel="next">
          Next page
        </a>
      )}
    </nav>
  )
}

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
