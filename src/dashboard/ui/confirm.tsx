/** Asks before something goes. */
import type { Child, FC, PropsWithChildren } from 'hono/jsx'
import type { Sent } from '../sent.ts'
import { Form } from './form.tsx'
import { Heading } from './table.tsx'

/** A question, what goes with a yes, and the button that says it. */
export const Confirm: FC<
  PropsWithChildren<{
    question: string
    action: string
    /** What the button says. */
    submit: string
    cancel: string
    sent: Sent
    /** What can be chosen with it. */
    fields?: Child
  }>
> = ({ question, action, submit, cancel, sent, fields, children }) => (
  <>
    <Heading title={question} />
    {children}
    <Form action={action} sent={sent} submit={submit} isDestructive cancel={cancel}>
      {fields}
    </Form>
  </>
)
