/** Pages that ask before something is deleted or lost. */
import type { Child } from 'hono/jsx'
import type { FieldDeclaration } from '../forms/field.ts'
import { Form, Refused } from '../forms/form.tsx'
import type { FormValues } from '../ui/form-state.ts'
import type { Notice } from '../ui/notices.ts'
import { type PageContext, withNotice } from '../ui/page-context.ts'
import { countFacts, Facts } from '../ui/table.tsx'
import type { PageRow } from './page-row.tsx'

export interface Question {
  /** The question, without its question mark. */
  readonly title: string
  /** What is lost. */
  readonly text: string
  /** The label of the button; null if the act is impossible. */
  readonly submit: string | null
  readonly fields?: readonly FieldDeclaration[]
  /** How much is lost, by kind. */
  readonly counts?: Readonly<Record<string, number>> | undefined
  /** Choices before the act. */
  readonly choices?: Child
}

interface Confirmation {
  /** The question; if it is always the same, the id in the path follows its title. */
  readonly ask: Question | ((page: PageContext) => Question | Promise<Question>)
  /** The link back, where it is unclear what "Cancel" would cancel. */
  readonly keep?: string
  readonly act: (page: PageContext, values: FormValues) => Promise<unknown>
  /** The address to go to after it; by default the page above. */
  readonly leadsTo?: (page: PageContext) => string
  readonly did: Notice | ((values: FormValues) => Notice)
}

/** A page that asks, and sends a yes to its own address. */
export function confirmation({ ask, keep, act, leadsTo, did }: Confirmation): PageRow {
  const questionOn = (page: PageContext) =>
    typeof ask === 'function' ? ask(page) : { ...ask, title: `${ask.title} ${page.id}`.trim() }
  return {
    show: async (page) => {
      const { title, text, counts, submit, fields = [], choices } = await questionOn(page)
      const body = (
        <>
          <p>{text}</p>
          {counts && <Facts facts={countFacts(counts)} />}
          {submit === null ? (
            <Refused form={page.form} />
          ) : (
            <Form
              fields={fields}
              submit={submit}
              isDestructive
              {...(keep === undefined && { cancel: page.above })}
            >
              {choices}
            </Form>
          )}
          {keep !== undefined && (
            <p>
              <a href={page.above}>{keep}</a>
            </p>
          )}
        </>
      )
      return { title, heading: `${title}?`, body, live: 'nothing' }
    },
    act: async (page, values) => {
      await act(page, values)
      const leads = leadsTo?.(page) ?? page.above
      return withNotice(leads, typeof did === 'function' ? did(values) : did)
    },
  }
}
