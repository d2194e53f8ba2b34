/** Two futures on the wire, and what differs between them. */
import type * as z from 'zod'
import { array, strictObject } from 'zod'
import { type Settings, settingsInForce } from '../assumptions/register.ts'
import type { Invoice } from '../billing/invoice.ts'
import type { Subscription } from '../billing/subscription.ts'
import type { Instant } from '../time/instant.ts'
import {
  type Comparison,
  type Money,
  moreOf,
  noMoney,
  type Pair,
  ROWS_MAX,
  type Totals,
} from '../world/comparison.ts'
import type { Futures } from '../world/what-if.ts'
import { presentAs, snakeKeys } from './case.ts'
import { outlook } from './clock.ts'
import { Count, Currency, InstantOut, SignedAmount, sandbox, Text } from './fields.ts'
import { WireInvoice } from './invoice.ts'
import { presentStatus, WireSubscription } from './subscription.ts'

const Sum = Count.meta(sandbox)

const WireMoney = strictObject({
  paid: Sum.describe('What was collected, by invoices and by charges.'),
  due: Sum.describe('What open invoices ask for.'),
  uncollectible: Sum.describe('What was given up.'),
  balance: Sum.describe('What customers have as balance, which invoices use first.'),
}).meta({ id: 'Money', description: 'Sums, in minor units.', ...sandbox })

const WireMoreMoney = strictObject({
  ...{ paid: SignedAmount, due: SignedAmount },
  ...{ uncollectible: SignedAmount, balance: SignedAmount },
}).meta({
  id: 'MoneyDifference',
  description: 'How much more than without the changes.',
  ...sandbox,
})

const byCurrency = { currency: Currency, as_is: WireMoney, changed: WireMoney }

const WireMoneyRow = strictObject({ ...byCurrency, difference: WireMoreMoney }).meta({
  id: 'WhatIfMoney',
  ...sandbox,
})

const WireCustomerRow = strictObject({
  customer_id: Text,
  ...byCurrency,
  difference: WireMoreMoney,
}).meta({ id: 'WhatIfCustomer', ...sandbox })

const { status: WireStatus } = WireSubscription.shape

const WireSubscriptionRow = strictObject({
  subscription_id: Text,
  customer_id: Text,
  as_is: WireStatus.nullable().describe('Null where it is not there.'),
  changed: WireStatus.nullable().describe('Null where it is not there.'),
}).meta({ id: 'WhatIfSubscription', ...sandbox })

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
}).meta({ id: 'WhatIfInvoiceSide', description: 'An invoice as it ends.', ...sandbox })

const WireInvoiceRow = strictObject({
  subscription_id: invoiceFields.subscription_id,
  customer_id: invoiceFields.customer_id,
  reason: invoiceFields.reason,
  currency: Currency,
  created_at: invoiceFields.created_at,
  as_is: WireInvoiceSide.nullable().describe('Null where it is not made.'),
  changed: WireInvoiceSide.nullable().describe('Null where it is not made.'),
}).meta({ id: 'WhatIfInvoice', ...sandbox })

const total = Count.describe('How many there are in all.').meta(sandbox)
const rows = <Row extends z.ZodType>(row: Row, what: string) =>
  array(row).describe(`${what}; the first ${ROWS_MAX}.`).meta(sandbox)

export const WireWhatIf = strictObject({
  from: InstantOut.describe('The virtual now, from where both futures begin.'),
  until: InstantOut.describe('How far they were asked to go.'),
  complete_until: InstantOut.describe(
    'Until when they were compared: before this instant nothing is missing in either.',
  ),
  stopped_because: outlook.stopped_because,
  money: array(WireMoneyRow)
    .describe('What both come to for all customers, by currency.')
    .meta(sandbox),
  customers: rows(WireCustomerRow, 'The customers whose money differs, by currency'),
  customers_total: total,
  subscriptions: rows(WireSubscriptionRow, 'The subscriptions whose status differs, oldest first'),
  subscriptions_total: total,
  invoices: rows(
    WireInvoiceRow,
    'The invoices that differ, or that only one future has, oldest first',
  ),
  invoices_total: total,
}).meta(sandbox)
type WireWhatIf = z.input<typeof WireWhatIf>

/** Two futures as an answer says them, with the time that it was asked to look at. */
export function presentWhatIf(
  {
    from,
    until,
    ...futures
  }: Omit<Futures<unknown>, 'made'> & { readonly from: Instant; readonly until: Instant },
  { money, customers, subscriptions, invoices }: Comparison,
): WireWhatIf {
  const { asIs, changed, completeUntil, stoppedBecause } = futures
  const status = {
    asIs: statusIn(settingsInForce(asIs.settings)),
    changed: statusIn(settingsInForce(changed.settings)),
  }
  return {
    from,
    until,
    complete_until: completeUntil,
    stopped_because: stoppedBecause,
    money: moneyRows(money),
    customers: customers.rows.map(({ customerId, currency, ...pair }) => ({
      customer_id: customerId,
      currency,
      ...moneyPair(pair),
    })),
    customers_total: customers.total,
    subscriptions: subscriptions.rows.map((pair) => ({
      ...ownerOf(pair),
      as_is: status.asIs(pair.asIs),
      changed: status.changed(pair.changed),
    })),
    subscriptions_total: subscriptions.total,
    invoices: invoices.rows.map((pair) => ({
      ...ownerOf(pair),
      ...subjectOf(pair),
      as_is: pair.asIs && presentAs(WireInvoiceSide, pair.asIs),
      changed: pair.changed && presentAs(WireInvoiceSide, pair.changed),
    })),
    invoices_total: invoices.total,
  }
}

function moneyRows({ asIs, changed }: Comparison['money']): WireWhatIf['money'] {
  const currencies = new Set([...keysOf(asIs), ...keysOf(changed)])
  return [...currencies].sort().map((currency) => ({
    currency,
    ...moneyPair({
      asIs: asIs?.byCurrency.get(currency) ?? null,
      changed: changed?.byCurrency.get(currency) ?? null,
    }),
  }))
}

function keysOf(totals: Totals | null): Iterable<string> {
  return totals?.byCurrency.keys() ?? []
}

/** Money that nobody was asked for is none. */
function moneyPair({ asIs, changed }: Pair<Money>) {
  const [before, after] = [asIs ?? noMoney, changed ?? noMoney]
  return {
    as_is: presentAs(WireMoney, before),
    changed: presentAs(WireMoney, after),
    difference: moreOf(before, after),
  }
}

function statusIn(settings: Pick<Settings, 'pausedStatusName'>) {
  return (subscription: Subscription | null) =>
    subscription && presentStatus(subscription.status, settings)
}

function ownerOf(pair: Pair<{ readonly subscriptionId: string; readonly customerId: string }>) {
  const { subscriptionId, customerId } = oneOf(pair)
  return snakeKeys({ subscriptionId, customerId })
}

function subjectOf(pair: Pair<Invoice>) {
  const { reason, currency, createdAt } = oneOf(pair)
  return snakeKeys({ reason, currency, createdAt })
}

function oneOf<Value>({ asIs, changed }: Pair<Value>): Value {
  const one = asIs ?? changed
  if (one === null) throw new Error('A row is of neither future')
  return one
}
