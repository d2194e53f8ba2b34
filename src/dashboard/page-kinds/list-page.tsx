/** Lists: a filter, a table and a pager. */
import type { Child } from 'hono/jsx'
import type { FieldDeclaration } from '../forms/field.ts'
import { Filter, filteredList } from '../forms/form.tsx'
import type { ColumnOf } from '../ui/columns.tsx'
import { Hint } from '../ui/links.tsx'
import type { PageContext } from '../ui/page-context.ts'
import { type ListPart, Table } from '../ui/table.tsx'
import type { PageRow } from './page-row.tsx'

export interface List<Row> {
  readonly title: string
  /** By default, that it has the oldest first. */
  readonly caption?: string
  /** The word for one: `coupon`. */
  readonly noun: string
  /** Reads the part that the query asks for. The query may be one that the sandbox refuses. */
  readonly find: (page: PageContext, query: object) => Promise<ListPart<Row>>
  readonly columns: readonly ColumnOf<Row>[]
  readonly actions?: (page: PageContext, found: ListPart<Row> | null) => Child
  /** The fields of its filter, which can depend on the rows. */
  readonly filter?: (rows: readonly Row[]) => readonly FieldDeclaration[]
  /** The text in place of an empty list. */
  readonly empty: string
  /** A text and what else follows the list. */
  readonly hint?: string
  readonly below?: (page: PageContext) => Child | Promise<Child>
  readonly live?: 'requests'
}

/** How many records are on one page, unless a list says otherwise. */
export const PAGE_LENGTH = 50

export function listPage<Row extends object>(list: List<Row>): PageRow {
  const { title, noun, filter, actions, below, live } = list
  const show = async (page: PageContext) => {
    const names = filter?.([]).map(({ name }) => name) ?? []
    const query = page.queryOf(...names)
    const { found, form } = await filteredList(page, () =>
      list.find(page, { ...query, ...page.cursor(PAGE_LENGTH) }),
    )
    if (found === null && filter === undefined) throw form.refusal
    const rows = found?.data ?? []
    const body = (
      <>
        {filter && <Filter form={form} label={`Which ${noun}s`} fields={filter(rows)} />}
        <Table
          caption={list.caption ?? `${title}, oldest first`}
          rows={found}
          columns={list.columns}
          empty={found && Object.keys(query).length === 0 ? list.empty : unmatched(page, noun)}
        />
        {list.hint && <Hint text={list.hint} />}
        {await below?.(page)}
      </>
    )
    // A refused list is a request, too: to load it again for that would never end.
    const isRefused = live === 'requests' && found === null
    return {
      title,
      actions: actions?.(page, found),
      body,
      live: isRefused ? 'nothing' : (live ?? 'changes'),
    } as const
  }
  return { show }
}

/** The text in place of a list whose filter matches nothing. */
export function unmatched({ path }: PageContext, noun: string): string {
  return `No ${noun} matches the filter.\n[Show all](${path})`
}
