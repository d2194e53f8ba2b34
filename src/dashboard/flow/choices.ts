/** The choices of a new subscription: their order, and the query that carries them from step to step. */
import type { Schemas } from '../../library/sandbox.ts'
import { type FormState, type FormValues, fieldErrorsOf } from '../ui/form-state.ts'
import type { PageContext, Query } from '../ui/page-context.ts'

/** The steps, in the order of the documented flow. (Interface section 1) */
export const steps = ['customer', 'product', 'plan', 'offer', 'confirm'] as const
export type FlowStep = (typeof steps)[number]

/** The fields of each step. */
const fields: Readonly<Record<FlowStep, readonly string[]>> = {
  customer: ['customer_id'],
  product: ['product_id'],
  plan: ['plan'],
  offer: ['trial_period_days', 'coupon_id', 'promotion_code'],
  confirm: [],
}

/** The steps that cannot be passed over. */
const needed = { customer: 'customer_id', product: 'product_id', plan: 'plan' } as const

/** The address of a step, with what was chosen. */
export function stepAddress(page: PageContext, step: FlowStep, query: Query = {}): string {
  return page.to(step === 'customer' ? 'subscriptions/~new' : `subscriptions/~new/${step}`, query)
}

/** Everything that was chosen, but for some steps. */
export function choicesOf(
  values: FormValues,
  except: readonly FlowStep[] = [],
): Record<string, string> {
  const kept = steps.filter((step) => !except.includes(step)).flatMap((step) => fields[step])
  const given = kept.filter((name) => values.text(name) !== undefined)
  return Object.fromEntries(given.map((name) => [name, values.raw(name)]))
}

/** The step to show: the one that is asked for, or an earlier one that lacks its choice or has a refused one. */
export function stepToShow(asked: FlowStep, form: FormState): FlowStep {
  const isMissing = (step: FlowStep) =>
    step in needed && form.values.text(needed[step as keyof typeof needed]) === undefined
  const refused = fieldErrorsOf(form).map(({ field }) => field)
  const isRefused = (step: FlowStep) => fields[step].some((name) => refused.includes(name))
  const before = steps.slice(0, steps.indexOf(asked))
  return before.find((step) => isMissing(step) || isRefused(step)) ?? asked
}

/** The subscription that the choices ask for. */
export function checkoutOf(values: FormValues): Schemas['Checkout'] {
  return {
    customer_id: values.raw('customer_id'),
    plan: values.raw('plan'),
    trial_period_days: values.integer('trial_period_days'),
    coupon_id: values.text('coupon_id'),
    promotion_code: values.text('promotion_code'),
  } as Schemas['Checkout']
}
