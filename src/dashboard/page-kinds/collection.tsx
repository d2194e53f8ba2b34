/**
 * The pages of one kind of record, from one declaration: the list of them, one of them, and the forms that create, change
 * and delete one. Owns their addresses and titles.
 */
import type { Child } from 'hono/jsx'
import type { Sandbox } from '../../library/sandbox.ts'
import { bodyOf, type FieldDeclaration, patchOf, withSuggestions } from '../forms/field.ts'
import { Form } from '../forms/form.tsx'
import { type Column, factsOf } from '../ui/columns.tsx'
import { formOrQuery, formWith } from '../ui/form-state.ts'
import { button, PageLink, type RecordPlace, recordAddress, recordPath } from '../ui/links.tsx'
import type { Notice } from '../ui/notices.ts'
import { type PageContext, withNotice } from '../ui/page-context.ts'
import { Facts, Heading } from '../ui/table.tsx'
import { confirmation } from './confirmation.tsx'
import { type List, listPage } from './list-page.tsx'
import type { PageRow, PageTable } from './page-row.tsx'

/** The calls of one kind of record. */
interface RecordCalls<Row> {
  get(id: string): Promise<Row>
  create?(body: never): Promise<Row>
  update?(id: string, body: never): Promise<Row>
  delete?(id: string): Promise<void>
}

interface NewForm<Row> {
  readonly fields: readonly FieldDeclaration[]
  /** The label of the button; by default `Create` with the noun. */
  readonly submit?: string
  /** Whether the form is sent to the address of the list, and not to its own. */
  readonly isSentToList?: true
  /** The notice after it; by default that it was created. */
  readonly did?: (row: Row) => Notice
}

export interface RecordCollection<Row> {
  readonly place: RecordPlace
  /** The word for one: `coupon`. */
  readonly noun: string
  readonly calls: (sandbox: Sandbox) => RecordCalls<Row>
  readonly idOf: (row: Row) => string
  /** Its name in titles; by default its id. */
  readonly titleOf?: (row: Row) => string
  /** The page to go to from the forms; by default the list. */
  readonly home?: string
  /** Its list; by default with a button that creates one. */
  readonly list?: Omit<List<Row>, 'path' | 'empty'> & {
    readonly empty: Partial<List<Row>['empty']> & { readonly none: Child }
  }
  readonly record: {
    readonly heading?: (row: Row) => string
    /** What stands beside its heading. */
    readonly note?: (row: Row) => Child
    readonly actions?: (row: Row) => Child
    readonly facts: readonly Column<Row>[] | ((row: Row) => readonly Column<Row>[])
    readonly below?: (page: PageContext, row: Row) => Child | Promise<Child>
  }
  /** The form of a new one, or a page of its own. */
  readonly create?: NewForm<Row> | PageRow
  readonly change?: {
    readonly label: string
    readonly text?: string
    readonly fields: readonly FieldDeclaration[]
  }
  /** What deleting one means, and what prevents it. */
  readonly remove?: string
}

/** The rows of a collection in the table of pages. */
export function collection<Row extends object>(records: RecordCollection<Row>): PageTable {
  const { place, list, create, change, remove } = records
  const newRow = create && ('show' in create ? create : newPage(records, create))
  const listRow = list && listPage(listOf(records, list))
  const isSentToList = create && 'isSentToList' in create
  return {
    ...(listRow && {
      [place]: isSentToList ? { ...newRow, showRefused: newRow?.show, ...listRow } : listRow,
    }),
    ...(newRow && { [`${place}/~new`]: isSentToList ? { show: newRow.show } : newRow }),
    [`${place}/:id`]: recordPage(records),
    ...(change && { [`${place}/:id/edit`]: changePage(records, change) }),
    ...(remove && { [`${place}/:id/delete`]: deletePage(records, remove) }),
  } as PageTable
}

function listOf<Row extends object>(
  { place, noun, create }: RecordCollection<Row>,
  list: NonNullable<RecordCollection<Row>['list']>,
): List<Row> {
  const path = `${place}/~new`
  return {
    path: place,
    actions: create && button(`New ${noun}`, path),
    ...list,
    empty: {
      next: create && <PageLink to={path}>Create a {noun}</PageLink>,
      unmatched: `No ${noun} matches the filter.`,
      ...list.empty,
    },
  }
}

function recordPage<Row extends object>(records: RecordCollection<Row>): PageRow {
  const { place, calls, idOf, titleOf = idOf, record, change, remove } = records
  const show = async (page: PageContext) => {
    const row = await calls(page.sandbox).get(page.id)
    const path = recordPath(place, idOf(row))
    const facts = typeof record.facts === 'function' ? record.facts(row) : record.facts
    const body = (
      <>
        <Heading title={(record.heading ?? titleOf)(row)} note={record.note?.(row)}>
          {record.actions?.(row)}
          {change && (
            <PageLink to={`${path}/edit`} as="button">
              {change.label}
            </PageLink>
          )}
          {remove && (
            <PageLink to={`${path}/delete`} as="danger">
              Delete…
            </PageLink>
          )}
        </Heading>
        {facts.length > 0 && <Facts facts={factsOf(row, facts)} />}
        {await record.below?.(page, row)}
      </>
    )
    return { title: titleOf(row), body }
  }
  return { show }
}

function newPage<Row extends object>(
  { place, noun, calls, idOf, home = place }: RecordCollection<Row>,
  { fields, submit = `Create ${noun}`, isSentToList, did }: NewForm<Row>,
): PageRow {
  const title = `New ${noun}`
  return {
    show: async (page, form) => {
      const body = (
        <>
          <Heading title={title} />
          <Form
            action={page.to(isSentToList ? place : `${place}/~new`)}
            form={formOrQuery(form, page)}
            fields={await withSuggestions(page, fields)}
            submit={submit}
            cancel={page.to(home)}
          />
        </>
      )
      return { title, body, live: 'nothing' }
    },
    act: async (page, { values }) => {
      const made = await calls(page.sandbox).create?.(bodyOf(fields, values) as never)
      if (made === undefined) throw new Error(`A ${noun} cannot be created`)
      return withNotice(recordAddress(page, place, idOf(made)), did?.(made) ?? 'created')
    },
  }
}

function changePage<Row extends object>(
  { place, calls, idOf, titleOf = idOf }: RecordCollection<Row>,
  { label, text, fields }: NonNullable<RecordCollection<Row>['change']>,
): PageRow {
  return {
    show: async (page, form) => {
      const row = await calls(page.sandbox).get(page.id)
      const title = `${label.split(' ')[0]} ${titleOf(row)}`
      const address = recordAddress(page, place, page.id)
      const body = (
        <>
          <Heading title={title} />
          {text && <p>{text}</p>}
          <Form
            action={`${address}/edit`}
            form={form.refusal === null ? formWith(startOf(fields, row)) : form}
            fields={fields}
            submit="Save"
            cancel={address}
          />
        </>
      )
      return { title, body, live: 'nothing' }
    },
    act: async (page, { values }) => {
      await calls(page.sandbox).update?.(page.id, patchOf(fields, values) as never)
      return withNotice(recordAddress(page, place, page.id), 'changed')
    },
  }
}

/** The fields with the values of a record: lists as words, and boxes that are checked. */
function startOf(fields: readonly FieldDeclaration[], row: object): Record<string, unknown> {
  const values: Readonly<Record<string, unknown>> = { ...row }
  return Object.fromEntries(
    fields.map(({ name }) => {
      const value = values[name]
      if (value === false) return [name, null]
      return [name, Array.isArray(value) ? value.join(', ') : value]
    }),
  )
}

function deletePage<Row extends object>(records: RecordCollection<Row>, text: string): PageRow {
  const { place, noun, calls, home = place } = records
  return confirmation({
    ask: async ({ sandbox, id }) => {
      await calls(sandbox).get(id)
      return { title: `Delete ${id}`, text, submit: `Delete ${noun}` }
    },
    back: (page) => recordAddress(page, place, page.id),
    act: ({ sandbox, id }) => Promise.resolve(calls(sandbox).delete?.(id)),
    leadsTo: (page) => page.to(home),
    did: 'deleted',
  })
}
