/** Two futures on the wire, and what differs between them. */
import type * as z from 'zod'
import { array, strictObject, string } from 'zod'
import type { Invoice } from '../../billing/invoice.ts'
import { statusName } from '../../billing/status.ts'
import type { Subscription } from '../../billing/subscription.ts'
import type { Instant } from '../../time/instant.ts'
import {
  type Comparison,
  type Money,
  type Pair,
  ROWS_MAX,
  subtractMoney,
  zeroMoney,
} from '../../world/comparison.ts'
import type { Futures } from '../../world/what-if.ts'
import { settingsOf, type World } from '../../world/world.ts'
import { presentAs, snakeKeys } from '../common/case.ts'
import {
  Currency,
  describedAs,
  InstantOut,
  inSandbox,
  Natural,
  SignedAmount,
  sandbox,
  sourced,
} from '../common/fields.ts'
import { outlook } from './clock.ts'
import { WireInvoice } from './invoice.ts'
import { WireSubscription } from './subscription.ts'

const Sum = Natural.meta(sandbox)

const WireMoney = strictObject({
  paid: Sum.describe('The sum that invoices and charges ever collected, in minor units.'),
  due: Sum.describe('The sum that open invoices ask for, in minor units.'),
  uncollectible: Sum.describe('The sum of the uncollectible invoices, in minor units.'),
  balance: Sum.describe(
    'The sum of the balances of customers, which invoices use first, in minor units.',
  ),
}).meta(inSandbox('Money', 'The sums of one future at its end, in minor units.'))

const WireMoreMoney = describedAs(WireMoney, {
  ...{ paid: SignedAmount, due: SignedAmount },
  ...{ uncollectible: SignedAmount, balance: SignedAmount },
}).meta(inSandbox('MoneyDifference', 'The sums with the changes minus those without them.'))

const byCurrency = {
  currency: Currency,
  as_is: WireMoney.describe('The sums without the changes.'),
  changed: WireMoney.describe('The sums with the changes.'),
  difference: WireMoreMoney.describe('How much more each sum is with the changes.'),
}

const WireMoneyRow = strictObject(byCurrency).meta(
  inSandbox('WhatIfMoney', 'The sums of both futures in one currency.'),
)

const { subscription_id, customer_id, status: WireStatus } = WireSubscription.shape

const WireCustomerRow = strictObject({ customer_id, ...byCurrency }).meta(
  inSandbox('WhatIfCustomer', 'The sums of one customer in both futures.'),
)

const WireSubscriptionRow = strictObject({
  subscription_id,
  customer_id,
  as_is: WireStatus.nullable().describe(
    'The status without the changes; null where the subscription does not exist then.',
  ),
  changed: WireStatus.nullable().describe(
    'The status with the changes; null where the subscription does not exist then.',
  ),
  as_is_ended_at: InstantOut.nullable().describe(
    'When it ended without the changes; null where it has not ended.',
  ),
  changed_ended_at: InstantOut.nullable().describe(
    'When it ended with the changes; null where it has not ended.',
  ),
}).meta(inSandbox('WhatIfSubscription', 'A subscription whose status or end differs.'))

const invoiceFields = WireInvoice.shape
const WireInvoiceSide = strictObject({
  invoice_id: invoiceFields.invoice_id,
  status: invoiceFields.status,
  subtotal: invoiceFields.subtotal,
  discount_total: invoiceFields.discount_total,
  balance_used: invoiceFields.balance_used,
  amount_due: invoiceFields.amount_due,
  amount_paid: invoiceFields.amount_paid,
  paid_at: invoiceFields.paid_at,
  attempts: invoiceFields.attempts,
  plans: array(string()).describe('The plans that its lines bill or credit, in their order.'),
}).meta(inSandbox('WhatIfInvoiceSide', 'An invoice at the end of one future.'))

const WireInvoiceRow = strictObject({
  subscription_id: invoiceFields.subscription_id,
  customer_id: invoiceFields.customer_id,
  reason: invoiceFields.reason,
  currency: Currency,
  created_at: invoiceFields.created_at,
  as_is: WireInvoiceSide.nullable().describe(
    'The invoice without the changes; null where it is not made then.',
  ),
  changed: WireInvoiceSide.nullable().describe(
    'The invoice with the changes; null where it is not made then.',
  ),
}).meta(inSandbox('WhatIfInvoice', 'An invoice that differs, or that only one future has.'))

const total = (of: string) => Natural.describe(`How many ${of} in all.`).meta(sandbox)
const rows = <Row extends z.ZodType>(row: Row, what: string) =>
  array(row).describe(`${what}; the first ${ROWS_MAX}.`).meta(sandbox)

export const WireWhatIf = strictObject({
  from: InstantOut.describe('The virtual now, at which both futures begin.'),
  until: InstantOut.describe('The instant until which both futures were to be simulated.'),
  complete_until: InstantOut.describe(
    'The instant until which both futures were compared: nothing before it is missing.',
  ),
  stopped_because: outlook.stopped_because,
  money: sourced('sandbox', array(WireMoneyRow)).describe(
    'The sums of both futures for all customers, by currency.',
  ),
  customers: rows(WireCustomerRow, 'The customers whose money differs, by currency'),
  customers_total: total('customers differ'),
  subscriptions: rows(
    WireSubscriptionRow,
    'The subscriptions whose status or end differs, oldest first',
  ),
  subscriptions_total: total('subscriptions differ'),
  invoices: sourced('sandbox', array(WireInvoiceRow)).describe(
    `The invoices that differ, or that only one future has, and with \`unchanged\` others of their customers, oldest first; the first ${ROWS_MAX} of each future, or with \`unchanged\` all of the first customers for which these have room.`,
  ),
  invoices_total: total('invoices are of that kind'),
}).meta(sandbox)
export type WireWhatIf = z.input<typeof WireWhatIf>

/** Two futures as an answer says them, with the time that it was asked to look at. */
export function presentWhatIf(
  futures: Omit<Futures<unknown>, 'made'> & { readonly from: Instant; readonly until: Instant },
  { money, customers, subscriptions, invoices }: Comparison,
): WireWhatIf {
  const { from, until, completeUntil, stoppedBecause } = futures
  const [asIsStatus, changedStatus] = [statusIn(futures.asIs), statusIn(futures.changed)]
  return {
    ...snakeKeys({ from, until, completeUntil, stoppedBecause }),
    money: moneyRows(money),
    customers: customers.rows.map((row) =>
      presentAs(WireCustomerRow, { ...row, ...moneyPair(row) }),
    ),
    customers_total: customers.total,
    subscriptions: subscriptions.rows.map((pair) => {
      const [asIs, changed] = [asIsStatus(pair.asIs), changedStatus(pair.changed)]
      const ends = {
        asIsEndedAt: pair.asIs?.endedAt ?? null,
        changedEndedAt: pair.changed?.endedAt ?? null,
      }
      return presentAs(WireSubscriptionRow, { ...oneOf(pair), asIs, changed, ...ends })
    }),
    subscriptions_total: subscriptions.total,
    invoices: invoices.rows.map((pair) => {
      const [asIs, changed] = [presentSide(pair.asIs), presentSide(pair.changed)]
      return presentAs(WireInvoiceRow, { ...oneOf(pair), asIs, changed })
    }),
    invoices_total: invoices.total,
  }
}

function presentSide(invoice: Invoice | null) {
  if (invoice === null) return null
  const plans = [...new Set(invoice.lines.map(({ planId }) => planId))]
  return presentAs(WireInvoiceSide, { ...invoice, plans })
}

function moneyRows({ asIs, changed }: Comparison['money']): WireWhatIf['money'] {
  const [before, after] = [asIs?.byCurrency, changed?.byCurrency]
  const currencies = new Set([...(before?.keys() ?? []), ...(after?.keys() ?? [])])
  return [...currencies].sort().map((currency) => {
    const pair = { asIs: before?.get(currency) ?? null, changed: after?.get(currency) ?? null }
    return presentAs(WireMoneyRow, { currency, ...moneyPair(pair) })
  })
}

/** A customer without money in one future has sums of 0 there. */
function moneyPair({ asIs, changed }: Pair<Money>) {
  const [before, after] = [asIs ?? zeroMoney, changed ?? zeroMoney]
  return {
    asIs: presentAs(WireMoney, before),
    changed: presentAs(WireMoney, after),
    difference: subtractMoney(before, after),
  }
}

function statusIn(world: World) {
  const settings = settingsOf(world)
  return (subscription: Subscription | null) =>
    subscription && statusName(subscription.status, settings)
}

function oneOf<Value>({ asIs, changed }: Pair<Value>): Value {
  const one = asIs ?? changed
  if (one === null) throw new Error('A row is of neither future')
  return one
}
