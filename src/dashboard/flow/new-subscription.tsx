/**
 * A new subscription in the five steps that the interface documents (section 1). Each is a page whose address holds what
 * was chosen, so that going back works and nothing is kept.
 */
import type { Schemas } from '../../library/sandbox.ts'
import { bodyOf } from '../forms/field.ts'
import type { PageRow, PageTable } from '../page-kinds/page-row.tsx'
import { type FormState, isSandboxRefusal } from '../ui/form-state.ts'
import { recordAddress } from '../ui/links.tsx'
import { type PageContext, type View, withNotice } from '../ui/page-context.ts'
import { checkoutOf, choicesOf, type FlowStep, stepAddress, steps, stepToShow } from './choices.ts'
import { newCustomerFields } from './customer-step.tsx'
import { stepViews } from './steps.tsx'

const stepRows = steps.map((step): [string, PageRow] => [
  step === 'customer' ? 'subscriptions/~new' : `subscriptions/~new/${step}`,
  { show: (page) => show(page, { values: page.queryValues, refusal: null }, step) },
])

export const newSubscriptionPages: PageTable = {
  ...Object.fromEntries(stepRows),
  'subscriptions/~new': {
    show: (page) => show(page, { values: page.queryValues, refusal: null }, 'customer'),
    showRefused: (page, form) => show(page, form, 'confirm'),
    act: async (page, { values }) => {
      const { subscription_id: id } = await page.sandbox.subscriptions.create(checkoutOf(values))
      return withNotice(recordAddress(page, 'subscriptions', id), 'created')
    },
  },
  'subscriptions/~new/customer': {
    hasNoPage: true,
    show: (page, form) => show(page, form, 'customer'),
    act: async (page, { values }) => {
      const { new_customer_id: id, ...fields } = bodyOf(newCustomerFields, values)
      const body = { customer_id: id, ...fields } as Schemas['CustomerCreate']
      const { customer_id } = await page.sandbox.customers.create(body)
      return stepAddress(page, 'product', { ...choicesOf(values, ['customer']), customer_id })
    },
  },
}

/** The names of the sandbox for what is chosen, where it is looked for and not ordered yet. */
const paths = { plan: ['plan_id', 'plan'] }

/** A choice that the sandbox refuses is shown in its step, with the reason. */
async function show(page: PageContext, form: FormState, step: FlowStep): Promise<View> {
  try {
    return await stepViews[stepToShow(step, form)](page, form)
  } catch (refusal) {
    if (!isSandboxRefusal(refusal) || form.refusal !== null) throw refusal
    return show(page, { values: form.values, refusal, paths }, step)
  }
}
