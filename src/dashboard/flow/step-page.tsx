/** The shared parts of the steps of a new subscription. */
import type { Child, FC, PropsWithChildren } from 'hono/jsx'
import { Hidden, QueryForm } from '../forms/form.tsx'
import type { FormState } from '../ui/form-state.ts'
import { usePage, type View } from '../ui/page-context.ts'
import { Heading } from '../ui/table.tsx'
import { choicesOf, type FlowStep, stepAddress, steps } from './choices.ts'

const names: Readonly<Record<FlowStep, string>> = {
  customer: 'Customer',
  product: 'Product',
  plan: 'Pricing plan',
  offer: 'Trial and coupon',
  confirm: 'Confirm',
}

/** A step as a page: the progress, and the choices. */
export function stepPage(step: FlowStep, form: FormState, choices: Child): View {
  const body = (
    <>
      <Heading title="New subscription" />
      <Progress step={step} form={form} />
      {choices}
    </>
  )
  return { title: `New subscription: ${names[step].toLowerCase()}`, live: 'nothing', body }
}

const Progress: FC<{ step: FlowStep; form: FormState }> = ({ step, form }) => {
  const page = usePage()
  return (
    <ol class="steps" aria-label="Steps">
      {steps.map((each, index) => (
        <li aria-current={each === step ? 'step' : undefined}>
          {index < steps.indexOf(step) ? (
            <a href={stepAddress(page, each, choicesOf(form.values))}>{names[each]}</a>
          ) : (
            names[each]
          )}
        </li>
      ))}
    </ol>
  )
}

/** The form of a step: it leads to the next step with everything that was chosen. */
export const StepForm: FC<
  PropsWithChildren<{ step: FlowStep; form: FormState; hasPreview?: boolean }>
> = ({ step, form, hasPreview = false, children }) => {
  const page = usePage()
  const next = steps[steps.indexOf(step) + 1] ?? step
  const here = stepAddress(page, step)
  const actions = (
    <>
      <button type="submit" class="primary">
        Continue
      </button>
      {hasPreview && (
        <button type="submit" formaction={here} class="unscripted">
          Show
        </button>
      )}
    </>
  )
  return (
    <QueryForm
      form={form}
      action={stepAddress(page, next)}
      preview={hasPreview ? here : undefined}
      actions={actions}
    >
      <Hidden values={choicesOf(form.values, [step])} />
      {children}
    </QueryForm>
  )
}
