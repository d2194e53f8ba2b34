/**
 * The steps of a new subscription: their order, the query that carries what was chosen from one to the next, and the
 * shared parts of their pages.
 */
import type { FC, PropsWithChildren } from 'hono/jsx'
import { FLOW, flowOf } from '../acts/once.ts'
import { FormField, Hidden } from '../forms/controls.tsx'
import { Form } from '../forms/form.tsx'
import { type FormState, type FormValues, fieldErrorsOf } from '../ui/form-state.ts'
import { type GroupLink, Switch } from '../ui/links.tsx'
import { type PageContext, type Query, usePage } from '../ui/page-context.ts'

/** The steps, in the order of the documented flow (interface section 1): the name and the fields of each. */
const table = {
  customer: ['Customer', 'customer_id'],
  product: ['Product', 'product_id'],
  plan: ['Pricing plan', 'plan'],
  offer: ['Trial and coupon', 'trial_period_days', 'coupon_id', 'promotion_code'],
  confirm: ['Confirm'],
} as const satisfies Record<string, readonly [name: string, ...fields: string[]]>

export type FlowStep = keyof typeof table
export const steps = Object.keys(table) as FlowStep[]

export const stepName = (step: FlowStep): string => table[step][0]
const stepFields = (step: FlowStep): readonly string[] => table[step].slice(1)

export function pathOf(step: FlowStep): string {
  return step === 'customer' ? 'subscriptions/~new' : `subscriptions/~new/${step}`
}

/** The address of a step, with what was chosen. */
export function stepAddress({ to }: PageContext, step: FlowStep, query: Query = {}): string {
  return to(pathOf(step), query)
}

/** Everything that was chosen, but for one step, and the id of the flow. */
export function choicesOf(values: FormValues, except?: FlowStep): Record<string, string> {
  const names = steps.filter((step) => step !== except).flatMap(stepFields)
  return { ...values.filled(names), [FLOW]: flowOf(values) }
}

/** The query of the form of a record that a step lacks: it leads to the next step, with the id of the new one as the choice. */
export function creationQuery(page: PageContext, step: FlowStep, start = {}): URLSearchParams {
  const [choice = ''] = stepFields(step)
  const choices = { ...choicesOf(page.form.values, step), [choice]: '' }
  const then = stepAddress(page, steps[steps.indexOf(step) + 1] ?? step, choices)
  return new URLSearchParams({ ...start, then })
}

/** The step to show: the one that is asked for, or an earlier one that lacks its choice or has a refused one. */
export function stepToShow(asked: FlowStep, form: FormState): FlowStep {
  const refused = fieldErrorsOf(form).map(({ field }) => field)
  const before = steps.slice(0, steps.indexOf(asked))
  const isOpen = (step: FlowStep) => {
    const [only = '', ...others] = stepFields(step)
    const isMissing = others.length === 0 && form.values.text(only) === undefined
    return isMissing || stepFields(step).some((name) => refused.includes(name))
  }
  return before.find(isOpen) ?? asked
}

/** How far the flow is, with links to the steps before this one. */
export const Progress: FC<{ step: FlowStep }> = ({ step }) => {
  const page = usePage()
  const address = (each: FlowStep) => stepAddress(page, each, choicesOf(page.form.values))
  const links = steps.map((each, index): GroupLink => {
    const isBefore = index < steps.indexOf(step)
    return [`${index + 1}. ${stepName(each)}`, isBefore ? address(each) : undefined, each === step]
  })
  return <Switch label="Steps" options={links} />
}

interface StepFormProps {
  readonly step: FlowStep
  readonly form?: FormState
  readonly hasPreview?: boolean
}

/** The form of a step: it leads to the next step with everything that was chosen. */
export const StepForm: FC<PropsWithChildren<StepFormProps>> = (props) => {
  const page = usePage()
  const { step, form = page.form, hasPreview = false, children } = props
  return (
    <Form
      isQuery
      form={form}
      to={pathOf(steps[steps.indexOf(step) + 1] ?? step)}
      preview={hasPreview ? stepAddress(page, step) : undefined}
      submit="Continue"
    >
      <Hidden values={choicesOf(form.values, step)} />
      {children}
    </Form>
  )
}

/** A step whose record is not in the list, which ends somewhere. */
export const ByIdentifier: FC<StepFormProps> = (props) => (
  <StepForm {...props}>
    <FormField name={table[props.step][1] ?? ''} label="Or enter an id" isRequired />
  </StepForm>
)
