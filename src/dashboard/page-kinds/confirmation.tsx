/** Pages that ask before something is deleted or lost. */
import type { Child } from 'hono/jsx'
import type { FieldDeclaration } from '../forms/field.ts'
import { Form, Refused } from '../forms/form.tsx'
import type { FormState } from '../ui/form-state.ts'
import type { Notice } from '../ui/notices.ts'
import { type PageContext, withNotice } from '../ui/page-context.ts'
import { Heading } from '../ui/table.tsx'
import type { PageRow } from './page-row.tsx'

export interface Question {
  /** The question, without its question mark. */
  readonly title: string
  /** What is lost: a sentence, or several parts. */
  readonly text: Child
  /** The label of the button; null if the act is impossible. */
  readonly submit: string | null
  readonly fields?: readonly FieldDeclaration[]
  /** Choices before the act. */
  readonly choices?: Child
}

interface Confirmation {
  readonly ask: (page: PageContext) => Question | Promise<Question>
  /** The page to go back to: its path, or its address. */
  readonly back: string | ((page: PageContext) => string)
  /** The link back, where it is unclear what "Cancel" would cancel. */
  readonly keep?: string
  readonly act: (page: PageContext, form: FormState) => Promise<unknown>
  /** The address to go to after it; by default back. */
  readonly leadsTo?: (page: PageContext) => string
  readonly did: Notice | ((form: FormState) => Notice)
}

/** A page that asks, and sends a yes to its own address. */
export function confirmation({ ask, back, keep, act, leadsTo, did }: Confirmation): PageRow {
  const backFrom = (page: PageContext) => (typeof back === 'string' ? page.to(back) : back(page))
  return {
    show: async (page, form) => {
      const { title, text, submit, fields, choices } = await ask(page)
      const body = (
        <>
          <Heading title={`${title}?`} />
          {typeof text === 'string' ? <p>{text}</p> : text}
          {submit === null ? (
            <Refused form={form} />
          ) : (
            <Form
              action={page.c.req.path}
              form={form}
              fields={fields ?? []}
              submit={submit}
              isDestructive
              {...(keep === undefined && { cancel: backFrom(page) })}
            >
              {choices}
            </Form>
          )}
          {keep !== undefined && (
            <p>
              <a href={backFrom(page)}>{keep}</a>
            </p>
          )}
        </>
      )
      return { title, body, live: 'nothing' }
    },
    act: async (page, form) => {
      await act(page, form)
      return withNotice((leadsTo ?? backFrom)(page), typeof did === 'function' ? did(form) : did)
    },
  }
}
