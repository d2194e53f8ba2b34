/**
 * The pages of one kind of record, from one declaration: the list of them, one of them, and the forms that create, change
 * and delete one. Owns their addresses and titles.
 */
import type { Child } from 'hono/jsx'
import type { Sandbox } from '../../library/sandbox.ts'
import { Hidden } from '../forms/controls.tsx'
import {
  bodyOf,
  type FieldDeclaration,
  formatTypedAmount,
  patchOf,
  withSuggestions,
} from '../forms/field.ts'
import { Form } from '../forms/form.tsx'
import { searchOf, valuesOf } from '../ui/form-state.ts'
import {
  button,
  dangerButton,
  idFieldOf,
  primaryButton,
  type RecordKind,
  type RecordPlace,
  recordPath,
  recordPlaces,
} from '../ui/links.tsx'
import type { Notice } from '../ui/notices.ts'
import { addressWithin, type PageContext, withNotice } from '../ui/page-context.ts'
import { Facts, type ListPart } from '../ui/table.tsx'
import { type ColumnOf, factsOf, labelOf, valueCell } from '../ui/values.tsx'
import { confirmation, type List, listPage } from './lists-and-questions.tsx'
import { type PageRow, type PageTable, thenLead } from './page-row.tsx'

type Kind = `${Exclude<RecordKind, 'request'>}s`

interface RecordCalls {
  get(id: string): Promise<object>
  create(body: object): Promise<object>
  update(id: string, body: object): Promise<object>
  delete(id: string): Promise<void>
}

interface NewForm<Row> {
  readonly fields: readonly FieldDeclaration[]
  /** The label of the button; by default `Create` with the noun. */
  readonly submit?: string
  /** The notice after it; by default that it was created. */
  readonly did?: (row: Row) => Notice
}

interface RecordCollection<Row> {
  /** Its name in titles; by default its id. */
  readonly titleOf?: (row: Row) => string
  /** The page to go to from the forms; by default the list. */
  readonly home?: string
  /** Its list; by default of everything, with a button that creates one. */
  readonly list?: Pick<List<Row>, 'columns' | 'empty'> & Partial<List<Row>>
  /** What is beside the title of one; by default its status, or its id if that is not its title. */
  readonly note?: (row: Row) => Child
  readonly actions?: (row: Row) => Child
  readonly facts?: readonly ColumnOf<Row>[] | ((row: Row) => readonly ColumnOf<Row>[])
  readonly below?: (page: PageContext, row: Row) => Child | Promise<Child>
  /** The form of a new one, or its own page. */
  readonly create?: NewForm<Row> | PageRow
  readonly change?: Pick<NewForm<Row>, 'fields'> & {
    readonly label: string
    readonly text?: string
  }
  /** What deleting one means, and what prevents it. */
  readonly remove?: string
}

type RowOf<Name extends Kind> = Awaited<ReturnType<Sandbox[Name]['get']>>

/** The same with what follows from its kind. */
interface Records extends RecordCollection<object> {
  readonly place: RecordPlace
  readonly home: string
  readonly noun: string
  readonly calls: (page: PageContext) => RecordCalls
  readonly idOf: (row: object) => string
  readonly titleOf: (row: object) => string
}

export function collection<Name extends Kind>(
  kind: Name,
  declaration: RecordCollection<RowOf<Name>>,
): PageTable {
  const noun = kind.slice(0, -1) as RecordKind
  const place = recordPlaces[noun]
  const idOf = (row: object) => String({ ...row }[idFieldOf(noun) as never])
  // The name of the kind is that of its calls, and the last part of its path.
  const calls = ({ sandbox }: PageContext) => sandbox[kind] as unknown as RecordCalls
  const find = (page: PageContext, query: object): Promise<ListPart<object>> =>
    page.list(`/sandbox/${kind as Kind}`, query)
  const implied = { place, home: place, noun, calls, idOf, titleOf: idOf }
  const records = { ...implied, ...declaration } as unknown as Records
  const { list, create, change, remove } = records
  const add = `${place}/~new`
  const hasOffer = list?.empty.includes('\n') || !create
  const shown = list && {
    ...{ title: labelOf(kind), noun, find },
    actions: () => create && primaryButton(`New ${noun}`, add),
    ...list,
    empty: hasOffer ? list.empty : `${list.empty}\n[Create a ${noun}](${add})`,
  }
  return {
    [place]: shown ? listPage(shown) : { home: records.home },
    ...(create && { [add]: 'fields' in create ? newPage(records, create) : create }),
    [`${place}/:id`]: { show: (page) => recordView(records, page) },
    ...(change && { [`${place}/:id/edit`]: changePage(records, change) }),
    ...(remove && {
      [`${place}/:id/delete`]: confirmation({
        ask: async (page) => {
          await calls(page).get(page.id)
          return { title: `Delete ${page.id}`, text: remove, submit: `Delete ${noun}` }
        },
        act: async (page) => calls(page).delete(page.id),
        leadsTo: (page) => page.to(records.home),
        did: 'deleted',
      }),
    }),
  }
}

async function recordView(records: Records, page: PageContext) {
  const { place, calls, idOf, titleOf, change, remove } = records
  const row = await calls(page).get(page.id)
  const [id, title] = [idOf(row), titleOf(row)]
  const path = recordPath(place, id)
  const facts = typeof records.facts === 'function' ? records.facts(row) : (records.facts ?? [])
  const status = 'status' in row ? valueCell(row, 'status') : title !== id && <code>{id}</code>
  const below = await records.below?.(page, row)
  return {
    title,
    note: records.note?.(row) ?? status,
    actions: [
      records.actions?.(row),
      change && button(change.label, `${path}/edit`),
      remove && dangerButton('Delete…', `${path}/delete`),
    ],
    body: [facts.length > 0 && <Facts facts={factsOf(row, facts)} />, below],
  }
}

/** The form of a new record. It leads to the record, or to the address `then` with the id at its end. */
function newPage(records: Records, { fields, submit, did }: NewForm<object>): PageRow {
  const { place, noun, calls, idOf, home } = records
  return {
    show: async (page) => {
      const suggesting = await withSuggestions(page, fields)
      const body = (
        <Form fields={suggesting} submit={submit ?? `Create ${noun}`} cancel={page.to(home)}>
          <Hidden values={page.form.values.filled<'then'>(['then'])} />
        </Form>
      )
      return { title: `New ${noun}`, body, live: 'nothing' }
    },
    act: async (page, values) => {
      const made = await calls(page).create(bodyOf(fields, values))
      const id = idOf(made)
      const then = values.text('then')
      const next = then && addressWithin(page, `${then}${encodeURIComponent(id)}`)
      return withNotice(next || page.to(recordPath(place, id)), did?.(made) ?? 'created')
    },
  }
}

function changePage(
  { calls, titleOf }: Records,
  { label, text, fields }: NonNullable<Records['change']>,
): PageRow {
  return {
    show: async (page) => {
      const row = await calls(page).get(page.id)
      const start = startOf(fields, row)
      const was = page.form.values.text('was') ?? `${searchOf(start)}`
      const body = (
        <Form start={start} fields={fields} submit="Save" cancel={page.above}>
          {/* Its amounts are typed with the decimals of its currency. */}
          <Hidden values={{ was, currency: currencyOf(row) }} />
        </Form>
      )
      const title = `${label.split(' ')[0]} ${titleOf(row)}`
      return { title, ...(text !== undefined && { text }), body, live: 'nothing' }
    },
    act: thenLead('changed', async (page, values) => {
      // What the record has got since then stays, where nobody typed anything else.
      const was = values.has('was') ? valuesOf(new URLSearchParams(values.raw('was'))) : null
      const typed = fields.filter(({ name }) => values.raw(name) !== was?.raw(name))
      await calls(page).update(page.id, patchOf(typed, values))
    }),
  }
}

/** The currency of a record; empty for a customer who was never billed. */
function currencyOf(row: object): string {
  return 'currency' in row && typeof row.currency === 'string' ? row.currency : ''
}

/** The fields with the values of a record: lists as words, and boxes that are checked. */
function startOf(fields: readonly FieldDeclaration[], row: object): Record<string, unknown> {
  const values: Readonly<Record<string, unknown>> = { ...row }
  return Object.fromEntries(
    fields.map(({ name, kind }) => {
      const value = values[name]
      if (kind === 'money') return [name, formatTypedAmount(Number(value), currencyOf(row))]
      if (value === false) return [name, null]
      return [name, Array.isArray(value) ? value.join(', ') : value]
    }),
  )
}
