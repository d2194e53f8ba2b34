/** The first invoices of a subscription that is not there yet, as the sandbox would make them. */
import type { Child } from 'hono/jsx'
import type { Schemas } from '../../library/sandbox.ts'
import { addDuration, DAY_MS, type Instant } from '../../time/instant.ts'
import { instantText } from '../../wire/common/text.ts'
import {
  chargedText,
  differencesAfter,
  hasMany,
  invoicesAfter,
  previewOf,
} from '../reading/preview.ts'
import type { PageContext } from '../ui/page-context.ts'
import { Section, Table } from '../ui/table.tsx'
import { field, Verdict } from '../ui/values.tsx'

type Order = Schemas['Checkout']
type Plan = Schemas['Plan']

const SHOWN = 4

/** The first invoices with a plan, or why there would be none: what a form shows again after each change. */
export async function firstInvoices(page: PageContext, order: Order, plan?: Plan): Promise<Child> {
  const { refusal } = page.form
  return (
    <Section title="The first invoices">
      {refusal && (
        <Verdict isGood={false} text={`The sandbox would refuse this: ${refusal.message}`} />
      )}
      {!refusal && plan && (await invoicesOf(page, { ...order, plan: plan.plan_id }, plan))}
    </Section>
  )
}

/** Simulates the time in which they fall, with the subscription. Throws what a checkout would refuse it with. */
async function invoicesOf(page: PageContext, order: Order, plan: Plan) {
  const act = { operation: 'createSubscriptionAtCheckout', body: order } as const
  const preview = await previewOf(page, act)
  // What is wrong with the days of the trial is refused by now.
  const until = horizon(page, plan, order.trial_period_days)
  const future = await differencesAfter(page, act, { until })
  const made = future.subscriptions.find((each) => each.as_is === null)
  const rows = made === undefined ? [] : invoicesAfter(future, made.subscription_id)
  const by = instantText(future.complete_until)
  const shown = rows.slice(0, SHOWN).map(({ discount_total, balance_used, ...row }) => ({
    ...row,
    amount_discounted: -discount_total || 0,
    amount_of_balance: -balance_used || 0,
  }))
  return [
    <p>{chargedText(preview)}.</p>,
    <Table
      caption="The first invoices"
      rows={shown}
      columns={[
        'created_at',
        'amount_due',
        field('subtotal', 'Price'),
        field('amount_discounted', 'Discounts'),
        field('amount_of_balance', 'Balance'),
        field('status', `On ${by}`),
      ]}
      empty={`No invoice until ${by}.`}
    />,
    <p class="hint">
      On {by} the subscription is {(made?.changed ?? 'active').replaceAll('_', ' ')}.
      {rows.length > SHOWN && ' More invoices follow these.'}
    </p>,
  ]
}

const unitsOf = { day: ['D', 1], week: ['D', 7], month: ['M', 1], year: ['M', 12] } as const

/**
 * As long as the first invoices need after a trial, a year at most. All subscriptions are simulated for that time, twice: with
 * many, no longer than the second invoice needs, and a month at most.
 */
function horizon(page: PageContext, { interval, interval_count: count }: Plan, trialDays = 0) {
  const [unit, size] = unitsOf[interval]
  const [invoices, most] = hasMany(page) ? [1, 1] : [SHOWN - 1, 12]
  const length = Math.min(size * count * invoices, unit === 'M' ? most : most * 30)
  const [months, days] = unit === 'M' ? [length, trialDays] : [0, length + trialDays]
  return addDuration(page.clock.now as Instant, { months, millis: days * DAY_MS })
}
