/**
 * A new subscription in the five steps that the interface documents (section 1). Each is a page whose address holds what
 * was chosen, so that going back works and nothing is kept.
 */
import type { Hono } from 'hono'
import type { Schemas } from '../../library/sandbox.ts'
import {
  checkoutOf,
  choicesOf,
  type FlowStep,
  stepAddress,
  steps,
  stepToShow,
} from '../flow/choices.ts'
import { stepViews } from '../flow/steps.tsx'
import { page, submit, withNotice } from '../page.tsx'
import { isSandboxRefusal, type Sent } from '../sent.ts'
import { recordAddress } from '../ui/links.tsx'
import type { View } from '../view.ts'
import type { Visit } from '../visit.ts'

export function newSubscriptionPages(pages: Hono): void {
  for (const step of steps) {
    const path = step === 'customer' ? '/subscriptions/~new' : `/subscriptions/~new/${step}`
    pages.get(
      path,
      page((visit) => show(visit, { values: visit.asked, refusal: null }, step)),
    )
  }
  // Who loads the page of a refusal again begins anew.
  pages.get('/subscriptions/~new/customer', (c) =>
    c.redirect(c.get('visit').to('subscriptions/~new')),
  )
  pages.post(
    '/subscriptions/~new/customer',
    submit({ act: createCustomer, show: (visit, sent) => show(visit, sent, 'customer') }),
  )
  pages.post(
    '/subscriptions/~new',
    submit({ act: confirm, show: (visit, sent) => show(visit, sent, 'confirm') }),
  )
}

/** As the sandbox calls what is chosen, where it is looked for and not ordered yet. */
const paths = { plan: ['plan_id', 'plan'] }

/** A choice that the sandbox refuses is shown in its step, with the reason. */
async function show(visit: Visit, sent: Sent, step: FlowStep): Promise<View> {
  try {
    return await stepViews[stepToShow(step, sent)](visit, sent)
  } catch (refusal) {
    if (!isSandboxRefusal(refusal) || sent.refusal !== null) throw refusal
    return show(visit, { values: sent.values, refusal, paths }, step)
  }
}

async function createCustomer(visit: Visit, { values }: Sent): Promise<string> {
  const order = {
    customer_id: values.text('new_customer_id'),
    name: values.text('name'),
    email: values.text('email'),
    payment_method: values.text('payment_method'),
    balance: values.integer('balance'),
  } as Schemas['CustomerCreate']
  const { customer_id } = await visit.sandbox.customers.create(order)
  return stepAddress(visit, 'product', { ...choicesOf(values, ['customer']), customer_id })
}

async function confirm(visit: Visit, { values }: Sent): Promise<string> {
  const { subscription_id: id } = await visit.sandbox.subscriptions.create(checkoutOf(values))
  return withNotice(recordAddress(visit, 'subscriptions', id), 'created')
}
