/** Lists: a filter, a table and a pager. */
import type { Child } from 'hono/jsx'
import type { FieldDeclaration } from '../forms/field.ts'
import { Filter, filteredList } from '../forms/filter.tsx'
import type { PageContext, View } from '../page-context.ts'
import type { Column } from '../ui/columns.tsx'
import { PageLink } from '../ui/links.tsx'
import { emptyText, Heading, Pager, Table } from '../ui/table.tsx'
import type { PageRow } from './page-row.tsx'

/** One part of a list. */
export interface ListPart<Row> {
  readonly data: readonly Row[]
  readonly next_after: string | number | null
}

export interface List<Row> {
  readonly path: string
  readonly title: string
  readonly caption?: string
  /** Reads the part that the query asks for. The query may be one that the sandbox refuses. */
  readonly find: (page: PageContext, query: object) => Promise<ListPart<Row>>
  readonly columns: readonly Column<Row>[]
  readonly actions?: Child | ((page: PageContext, found: ListPart<Row> | null) => Child)
  readonly filter?: {
    readonly label: string
    readonly fields:
      | readonly FieldDeclaration[]
      | ((found: readonly Row[]) => readonly FieldDeclaration[])
  }
  /** The texts in place of an empty list, and of one whose filter matches nothing. */
  readonly empty: { readonly none: Child; readonly next?: Child; readonly unmatched?: string }
  /** What follows the list. */
  readonly below?: (page: PageContext) => Child | Promise<Child>
  readonly live?: 'requests'
}

/** How many records are on one page, unless a list says otherwise. */
export const PAGE_LENGTH = 50

export function listPage<Row>(list: List<Row>): PageRow {
  const { path, title, filter, below, live } = list
  const fieldsFor = (rows: readonly Row[]) =>
    typeof filter?.fields === 'function' ? filter.fields(rows) : (filter?.fields ?? [])
  const show = async (page: PageContext): Promise<View> => {
    const query = page.queryOf(...fieldsFor([]).map(({ name }) => name))
    const { found, form } = await filteredList(page, () =>
      list.find(page, { ...query, ...page.cursor(PAGE_LENGTH) }),
    )
    if (found === null && filter === undefined) throw form.refusal
    const rows = found?.data ?? []
    const body = (
      <>
        <Heading title={title}>
          {typeof list.actions === 'function' ? list.actions(page, found) : list.actions}
        </Heading>
        {filter && <Filter path={path} form={form} label={filter.label} fields={fieldsFor(rows)} />}
        <Table
          caption={list.caption ?? `${title}, oldest first`}
          rows={rows}
          columns={list.columns}
          empty={emptyList(list, found === null || Object.keys(query).length > 0)}
        />
        <Pager path={path} query={query} next={found?.next_after ?? null} />
        {await below?.(page)}
      </>
    )
    // A refused list is a request, too: to load it again for that would never end.
    const isRefused = live === 'requests' && found === null
    return { title, body, live: isRefused ? 'nothing' : (live ?? 'changes') }
  }
  return { show }
}

function emptyList<Row>({ path, empty }: List<Row>, isFiltered: boolean): Child {
  const { none, next, unmatched } = empty
  if (!isFiltered || unmatched === undefined) return emptyText(none, next)
  return emptyText(unmatched, <PageLink to={path}>Show all</PageLink>)
}
