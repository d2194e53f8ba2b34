/** What the steps of a new subscription have in common. */
import type { FC, PropsWithChildren } from 'hono/jsx'
import type { Sent } from '../sent.ts'
import { Heading } from '../ui/table.tsx'
import type { Visit } from '../visit.ts'
import { choicesOf, type FlowStep, stepAddress, steps } from './choices.ts'

const names: Readonly<Record<FlowStep, string>> = {
  customer: 'Customer',
  product: 'Product',
  plan: 'Pricing plan',
  offer: 'Trial and coupon',
  confirm: 'Confirm',
}

/** A step as a page: where one is, and what there is to choose. */
export function stepPage(
  visit: Visit,
  { step, sent, body }: { step: FlowStep; sent: Sent; body: unknown },
) {
  return {
    title: `New subscription: ${names[step].toLowerCase()}`,
    live: 'nothing' as const,
    body: (
      <>
        <Heading title="New subscription" />
        <Progress visit={visit} step={step} sent={sent} />
        {body}
      </>
    ),
  }
}

const Progress: FC<{ visit: Visit; step: FlowStep; sent: Sent }> = ({ visit, step, sent }) => (
  <ol class="steps" aria-label="Steps">
    {steps.map((each, index) => (
      <li aria-current={each === step ? 'step' : undefined}>
        {index < steps.indexOf(step) ? (
          <a href={stepAddress(visit, each, choicesOf(sent.values))}>{names[each]}</a>
        ) : (
          names[each]
        )}
      </li>
    ))}
  </ol>
)

/** A step's own form: it leads to the next step with everything that was chosen. */
export const StepForm: FC<
  PropsWithChildren<{ visit: Visit; step: FlowStep; sent: Sent; hasPreview?: boolean }>
> = ({ visit, step, sent, hasPreview = false, children }) => {
  const next = steps[steps.indexOf(step) + 1] ?? step
  const here = stepAddress(visit, step)
  return (
    <form
      method="get"
      action={stepAddress(visit, next)}
      class="form"
      data-preview={hasPreview ? here : undefined}
    >
      <Carried values={choicesOf(sent.values, [step])} />
      {children}
      <div class="actions">
        <button type="submit" class="primary">
          Continue
        </button>
        {hasPreview && (
          <button type="submit" formaction={here} class="unscripted">
            Show
          </button>
        )}
      </div>
    </form>
  )
}

/** What was chosen in other steps. */
export const Carried: FC<{ values: Readonly<Record<string, string>> }> = ({ values }) => (
  <>
    {Object.entries(values).map(([name, value]) => (
      <input type="hidden" name={name} value={value} />
    ))}
  </>
)
