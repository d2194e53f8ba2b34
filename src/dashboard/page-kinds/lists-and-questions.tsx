/** Two kinds of pages: lists, with a filter, a table and a pager; and questions before something is deleted or lost. */
import type { Child } from 'hono/jsx'
import type { FieldDeclaration } from '../forms/field.ts'
import { Filter, Form, filteredList, unfilteredAddress } from '../forms/form.tsx'
import type { FormValues } from '../ui/form-state.ts'
import type { Notice } from '../ui/notices.ts'
import { type PageContext, type View, withNotice } from '../ui/page-context.ts'
import { countFacts, Facts, type ListPart, Table } from '../ui/table.tsx'
import type { ColumnOf } from '../ui/values.tsx'
import type { PageAct, PageRow } from './page-row.tsx'

export interface List<Row> {
  readonly title: string
  /** The word for one: `coupon`. */
  readonly noun: string
  /** Reads the part that the query asks for. The query may be one that the sandbox refuses. */
  readonly find: (page: PageContext, query: object) => Promise<ListPart<Row>>
  readonly columns: readonly ColumnOf<Row>[]
  readonly actions?: (page: PageContext, found: ListPart<Row> | null) => Child
  readonly filter?: readonly FieldDeclaration[]
  /** The text in place of an empty list. */
  readonly empty: string
  readonly below?: (page: PageContext) => Child | Promise<Child>
  readonly live?: 'requests'
}

export function listPage<Row extends object>(list: List<Row>): PageRow {
  const { title, actions, below, live = 'changes' } = list
  const show = async (page: PageContext): Promise<View> => {
    const { found, part } = await listPart(page, list)
    return { title, actions: actions?.(page, found), body: [part, await below?.(page)], live }
  }
  return { show }
}

/** The part of a list that the query asks for, below its filter; null with the filter if it is refused. */
export async function listPart<Row extends object>(page: PageContext, list: List<Row>) {
  const { title, noun, filter = [], find } = list
  const query = page.queryOf(...filter.map(({ name }) => name))
  const { found, form } = await filteredList(page, () => find(page, { ...query, ...page.cursor() }))
  if (found === null && filter.length === 0) throw form.refusal
  const all = unfilteredAddress(page, filter)
  const part = [
    filter.length > 0 && (
      <Filter form={form} label={`Which ${title.toLowerCase()}`} fields={filter} />
    ),
    <Table
      caption={title}
      rows={found}
      columns={list.columns}
      empty={found && (all ? unmatchedText(all, noun) : list.empty)}
    />,
  ]
  return { found, part }
}

/** The text in place of a list whose filter matches nothing. */
export function unmatchedText(all: string, noun: string): string {
  return `No ${noun} matches the filter.\n[Show all](${all})`
}

export interface Question {
  /** The question, without its question mark. */
  readonly title: string
  /** What is lost. */
  readonly text: string
  readonly submit: string
  readonly fields?: readonly FieldDeclaration[]
  /** How much is lost, by kind. */
  readonly counts?: Readonly<Record<string, number>> | undefined
  readonly choices?: Child
}

interface Confirmation {
  /** The question; if it is always the same, the id in the path follows its title. */
  readonly ask: Question | ((page: PageContext) => Question | Promise<Question>)
  readonly act: PageAct
  /** The address to go to after it; by default the page above. */
  readonly leadsTo?: (page: PageContext, values: FormValues) => string
  readonly did: Notice
}

/** A page that asks, and sends a yes to its own address. */
export function confirmation({ ask, act, leadsTo, did }: Confirmation): PageRow {
  const questionOn = (page: PageContext) =>
    typeof ask === 'function' ? ask(page) : { ...ask, title: `${ask.title} ${page.id}`.trim() }
  return {
    show: async (page) => {
      const { title, text, counts, submit, fields = [], choices } = await questionOn(page)
      const body = [
        <p>{text}</p>,
        counts && <Facts facts={countFacts(counts)} />,
        <Form fields={fields} submit={submit} isDestructive cancel={page.above}>
          {choices}
        </Form>,
      ]
      return { title, heading: `${title}?`, body, live: 'nothing' }
    },
    act: async (page, values) => {
      await act(page, values)
      return withNotice(leadsTo?.(page, values) ?? page.above, did)
    },
  }
}
