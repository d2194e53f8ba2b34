/** Two futures on the wire, and what differs between them. */
import type * as z from 'zod'
import { array, strictObject, string } from 'zod'
import { settingsInForce } from '../assumptions/register.ts'
import type { Subscription } from '../billing/subscription.ts'
import type { Instant } from '../time/instant.ts'
import {
  type Comparison,
  type Money,
  moreOf,
  noMoney,
  type Pair,
  ROWS_MAX,
} from '../world/comparison.ts'
import type { Futures } from '../world/what-if.ts'
import type { World } from '../world/world.ts'
import { presentAs, snakeKeys } from './case.ts'
import { outlook } from './clock.ts'
import { Currency, InstantOut, inSandbox, Natural, SignedAmount, sandbox } from './fields.ts'
import { WireInvoice } from './invoice.ts'
import { presentStatus, WireSubscription } from './subscription.ts'

const Sum = Natural.meta(sandbox)

const WireMoney = strictObject({
  paid: Sum.describe('What was collected, by invoices and by charges.'),
  due: Sum.describe('What open invoices ask for.'),
  uncollectible: Sum.describe('What was given up.'),
  balance: Sum.describe('What customers have as balance, which invoices use first.'),
}).meta(inSandbox('Money', 'Sums, in minor units.'))

const WireMoreMoney = strictObject({
  ...{ paid: SignedAmount, due: SignedAmount },
  ...{ uncollectible: SignedAmount, balance: SignedAmount },
}).meta(inSandbox('MoneyDifference', 'How much more than without the changes.'))

const money = { as_is: WireMoney, changed: WireMoney, difference: WireMoreMoney }
const byCurrency = { currency: Currency, ...money }

const WireMoneyRow = strictObject(byCurrency).meta(inSandbox('WhatIfMoney'))

const WireCustomerRow = strictObject({ customer_id: string(), ...byCurrency }).meta(
  inSandbox('WhatIfCustomer'),
)

const { status: WireStatus } = WireSubscription.shape

const WireSubscriptionRow = strictObject({
  subscription_id: string(),
  customer_id: string(),
  as_is: WireStatus.nullable().describe('Null where it is not there.'),
  changed: WireStatus.nullable().describe('Null where it is not there.'),
}).meta(inSandbox('WhatIfSubscription'))

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
}).meta(inSandbox('WhatIfInvoiceSide', 'An invoice as it ends.'))

const WireInvoiceRow = strictObject({
  subscription_id: invoiceFields.subscription_id,
  customer_id: invoiceFields.customer_id,
  reason: invoiceFields.reason,
  currency: Currency,
  created_at: invoiceFields.created_at,
  as_is: WireInvoiceSide.nullable().describe('Null where it is not made.'),
  changed: WireInvoiceSide.nullable().describe('Null where it is not made.'),
}).meta(inSandbox('WhatIfInvoice'))

const total = Natural.describe('How many there are in all.').meta(sandbox)
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
      return presentAs(WireSubscriptionRow, { ...oneOf(pair), asIs, changed })
    }),
    subscriptions_total: subscriptions.total,
    invoices: invoices.rows.map((pair) => {
      const asIs = pair.asIs && presentAs(WireInvoiceSide, pair.asIs)
      const changed = pair.changed && presentAs(WireInvoiceSide, pair.changed)
      return presentAs(WireInvoiceRow, { ...oneOf(pair), asIs, changed })
    }),
    invoices_total: invoices.total,
  }
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
  const [before, after] = [asIs ?? noMoney, changed ?? noMoney]
  return {
    asIs: presentAs(WireMoney, before),
    changed: presentAs(WireMoney, after),
    difference: moreOf(before, after),
  }
}

function statusIn({ settings }: World) {
  const inForce = settingsInForce(settings)
  return (subscription: Subscription | null) =>
    subscription && presentStatus(subscription.status, inForce)
}

function oneOf<Value>({ asIs, changed }: Pair<Value>): Value {
  const one = asIs ?? changed
  if (one === null) throw new Error('A row is of neither future')
  return one
}
