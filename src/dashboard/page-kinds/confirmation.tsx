/** Pages that ask before something is deleted or lost. */
import type { Child } from 'hono/jsx'
import type { Field } from '../forms/field.ts'
import { Form, Refused } from '../forms/form.tsx'
import type { FormState } from '../forms/form-state.ts'
import { type PageContext, withNotice } from '../page-context.ts'
import type { Notice } from '../ui/notices.ts'
import { Heading } from '../ui/table.tsx'
import type { PageRow } from './page-row.tsx'

export interface Confirmation {
  /** The question, without its question mark. */
  readonly title: string
  /** What is lost. */
  readonly text: Child
  /** The label of the button; null if the act is impossible. */
  readonly submit: string | null
  /** The page to go back to. */
  readonly cancel: string
  /** The link back, where it is unclear what "Cancel" would cancel. */
  readonly keep?: string
  readonly fields?: readonly Field[]
  /** Choices before the act. */
  readonly choices?: Child
}

interface ConfirmationRow {
  readonly ask: (page: PageContext) => Confirmation | Promise<Confirmation>
  readonly act: (page: PageContext, form: FormState) => Promise<unknown>
  /** The page to go to, and its notice. */
  readonly leadsTo: (page: PageContext) => string
  readonly did: Notice | ((form: FormState) => Notice)
}

/** A page that asks, and sends a yes to its own address. */
export function confirmation({ ask, act, leadsTo, did }: ConfirmationRow): PageRow {
  return {
    show: async (page, form) => {
      const { title, text, submit, cancel, keep, fields, choices } = await ask(page)
      const body = (
        <>
          <Heading title={`${title}?`} />
          {text}
          {submit === null ? (
            <Refused form={form} />
          ) : (
            <Form
              action={page.c.req.path}
              form={form}
              fields={fields ?? []}
              submit={submit}
              isDestructive
              {...(keep === undefined && { cancel })}
            >
              {choices}
            </Form>
          )}
          {keep !== undefined && (
            <p>
              <a href={cancel}>{keep}</a>
            </p>
          )}
        </>
      )
      return { title, body, live: 'nothing' }
    },
    act: async (page, form) => {
      await act(page, form)
      return withNotice(leadsTo(page), typeof did === 'function' ? did(form) : did)
    },
  }
}
