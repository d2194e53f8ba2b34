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
    /** What leads back says, where it is not clear what "Cancel" would cancel. */
    keep?: string
    /** What is to be chosen before. */
    fields?: Child
  }>
> = ({ question, action, submit, cancel, keep, sent, fields, children }) => (
  <>
    <Heading title={question} />
    {children}
    <Form
      action={action}
      sent={sent}
      submit={submit}
      isDestructive
      {...(keep === undefined && { cancel })}
    >
      {fields}
    </Form>
    {keep !== undefined && (
      <p>
        <a href={cancel}>{keep}</a>
      </p>
    )}
  </>
)
