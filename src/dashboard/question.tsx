/** Questions that are asked before something goes: their pages, and what a yes does. */
import type { Hono } from 'hono'
import type { Child } from 'hono/jsx'
import { addForm, withNotice } from './page.tsx'
import type { Sent } from './sent.ts'
import { Form, Refused } from './ui/form.tsx'
import { recordAddress } from './ui/links.tsx'
import { Heading } from './ui/table.tsx'
import type { View } from './view.ts'
import type { Visit } from './visit.ts'

export interface Question {
  /** What is asked, without its question mark. */
  readonly title: string
  /** What goes with a yes. */
  readonly text: Child
  /** What the button says; null where the answer is always no. */
  readonly submit: string | null
  /** The address of who says no. */
  readonly cancel: string
  /** What leads back says, where it is not clear what "Cancel" would cancel. */
  readonly keep?: string
  /** What is to be chosen before. */
  readonly fields?: Child
}

interface Asking {
  readonly ask: (visit: Visit, sent: Sent) => Question | Promise<Question>
  /** Does it, and answers where to go then. */
  readonly act: (visit: Visit, sent: Sent) => Promise<string>
}

/** Adds a question, which is sent to its own address. */
export function addQuestion(pages: Hono, path: string, { ask, act }: Asking): void {
  const show = async (visit: Visit, sent: Sent) => viewOf(await ask(visit, sent), visit, sent)
  addForm(pages, path, { act, show })
}

function viewOf(question: Question, { c }: Visit, sent: Sent): View {
  const { title, text, submit, cancel, keep, fields } = question
  const body = (
    <>
      <Heading title={`${title}?`} />
      {text}
      {submit === null ? (
        <Refused sent={sent} />
      ) : (
        <Form
          action={c.req.path}
          sent={sent}
          submit={submit}
          isDestructive
          {...(keep === undefined && { cancel })}
        >
          {fields}
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
}

interface Deletion {
  /** What a record is called. */
  readonly name: string
  /** The page that lists what is left. */
  readonly list: string
  /** What goes with it, and what keeps it. */
  readonly text: string
}

/** Adds the question whether to delete a record, below the page of the record. */
export function addDeletion(
  pages: Hono,
  place: 'coupons' | 'customers' | 'plans' | 'products' | 'promotions',
  { name, list, text }: Deletion,
): void {
  addQuestion(pages, `/${place}/:id/delete`, {
    ask: async (visit) => {
      const { sandbox, id } = visit
      await sandbox[place].get(id)
      const cancel = recordAddress(visit, place, id)
      return { title: `Delete ${id}`, text: <p>{text}</p>, submit: `Delete ${name}`, cancel }
    },
    act: async ({ sandbox, id, to }) => {
      await sandbox[place].delete(id)
      return withNotice(to(list), 'deleted')
    },
  })
}
