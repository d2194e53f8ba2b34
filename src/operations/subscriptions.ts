/** Subscriptions on the control plane: reading them, checking out, resuming, and looking ahead. */
import type * as z from 'zod'
import { isRefusal } from '../billing/refusal.ts'
import { endpoints, json, listParts, reply } from '../surface/declarations.ts'
import { couponRefusals } from '../surface/refusals.ts'
import { totalsBilled } from '../wire/billing/billing-text.ts'
import { presentInvoice, WireForecast } from '../wire/billing/invoice.ts'
import {
  CheckoutCreate,
  ForecastQuery,
  presentSubscriptionRecord,
  subscriptionFilter,
  toCheckout,
  WireSubscriptionRecord,
} from '../wire/billing/subscription.ts'
import { createSubscription, executeCommand } from '../world/commands/subscriptions.ts'
import { inexactSums } from '../world/comparison.ts'
import type { Pace } from '../world/engine.ts'
import { type ForecastScope, forecast } from '../world/forecast.ts'
import { settingsOf, type World } from '../world/world.ts'
import { presentOutlook, readLookAheadEnd } from './horizon.ts'
import { worldLookAhead, worldQuery, worldWrite } from './operation.ts'
import { findOne, parseStatus, readPage, searchPage } from './page.ts'

const { get, post } = endpoints('Subscriptions')
const one = reply.ok('The subscription.', WireSubscriptionRecord)

export const subscriptionOperations = [
  worldQuery({
    ...get('/sandbox/subscriptions', 'listSubscriptions'),
    ...listParts('Subscription', WireSubscriptionRecord, subscriptionFilter),
    summary: 'List subscriptions',
    read: (world, query) => {
      const { subscriptions, customers } = world
      const settings = settingsOf(world)
      const status = query.status && parseStatus(query.status, 'status', settings)
      return searchPage(
        subscriptions,
        { ...query, status },
        {
          present: (each) => presentSubscriptionRecord(each, settings),
          textsOf: ({ subscriptionId, customerId }) => {
            const { name, email } = { ...customers.get(customerId) }
            return [subscriptionId, customerId, name, email]
          },
        },
      )
    },
  }),
  worldWrite({
    ...post('/sandbox/subscriptions', 'createSubscriptionAtCheckout'),
    summary: 'Create a subscription at checkout',
    description:
      'Creates a subscription as on /v1, with a coupon, the code of a promotion, or neither.',
    body: { ...json, schema: CheckoutCreate },
    replies: reply.created('The subscription.', WireSubscriptionRecord),
    locatedBy: 'subscription_id',
    refusals: ['not_found', ...couponRefusals, 'sandbox_full'],
    perform: (world, body, cause) => createSubscription(world, toCheckout(body), cause),
    present: presentSubscriptionRecord,
  }),
  worldQuery({
    ...get('/sandbox/subscriptions/{subscription_id}', 'retrieveSubscription'),
    summary: 'Retrieve a subscription',
    description: 'Returns the subscription as it is now.',
    replies: one,
    read: (world, named) =>
      findOne(world.subscriptions, named, (each) =>
        presentSubscriptionRecord(each, settingsOf(world)),
      ),
  }),
  worldWrite({
    ...post('/sandbox/subscriptions/{subscription_id}/resume', 'resumeSubscription'),
    summary: 'Resume a paused subscription',
    description:
      'Resumes a paused subscription. Its current period continues with the time that was left when it was paused.',
    replies: one,
    refusals: ['not_found', 'invalid_transition', 'sandbox_full'],
    perform: (world, { subscription_id: subscriptionId }, cause) =>
      executeCommand(world, { subscriptionId, cause }, { kind: 'resume' }),
    present: presentSubscriptionRecord,
  }),
  worldWrite({
    ...post(
      '/sandbox/subscriptions/{subscription_id}/remove-scheduled-cancellation',
      'removeScheduledCancellation',
    ),
    summary: 'Remove a scheduled cancellation',
    description:
      'Removes the cancellation at the end of the period: `cancel_at_period_end` is false again.',
    replies: one,
    refusals: ['not_found', 'invalid_transition'],
    perform: (world, { subscription_id: subscriptionId }, cause) =>
      executeCommand(world, { subscriptionId, cause }, { kind: 'remove_scheduled_cancellation' }),
    present: presentSubscriptionRecord,
  }),
  worldLookAhead({
    ...get('/sandbox/subscriptions/{subscription_id}/forecast', 'forecastSubscription'),
    summary: 'Forecast the invoices of a subscription',
    description:
      'Lists the invoices that the subscription will get until `until`, as they will be then. The clock does not move: the forecast is computed on a copy, while other calls are answered. The copy settles only the subscriptions of the same customer; numbers of future invoices can differ from those of an advance, and the records of other customers do not count toward the limits of the sandbox. While the whole sandbox has scripted payment outcomes, which all customers share, all subscriptions are settled until these are used up.',
    query: ForecastQuery,
    replies: reply.ok('One page of the invoices to come.', WireForecast),
    refusals: ['not_found', 'clock_backwards', 'clock_limit'],
    lookAhead: (fork, { subscription_id: subscriptionId, ...page }, pace) =>
      forecastPage(fork, { scope: { subscriptionId }, page }, pace),
  }),
  worldLookAhead({
    ...get('/sandbox/customers/{customer_id}/forecast', 'forecastCustomer'),
    summary: 'Forecast the invoices of a customer',
    description:
      'Forecasts the invoices of all subscriptions of the customer, as they are at the end of the look ahead, with their sums by currency. It runs on a copy, as the forecast of one subscription does.',
    query: ForecastQuery,
    replies: reply.ok('One page of the invoices to come.', WireForecast),
    refusals: ['not_found', 'clock_backwards', 'clock_limit'],
    lookAhead: (fork, { customer_id: customerId, ...page }, pace) =>
      forecastPage(fork, { scope: { customerId }, page }, pace),
  }),
]

async function forecastPage(
  fork: World,
  { scope, page }: { readonly scope: ForecastScope; readonly page: z.output<typeof ForecastQuery> },
  pace: Pace,
) {
  const found = await forecast(fork, { scope, until: readLookAheadEnd(fork, page) }, pace)
  if (isRefusal(found)) return found
  const byId = new Map(found.invoices.map((invoice) => [invoice.invoiceId, invoice]))
  const invoices = found.invoices.map(({ amountDue, ...each }) => ({
    ...each,
    amount_due: amountDue,
  }))
  const totals = totalsBilled({ invoices, charges: [] })
  if (!totals.every(({ total }) => Number.isSafeInteger(total))) return inexactSums
  const { limit, after } = page
  return { ...readPage(byId, { limit, after }, presentInvoice), ...presentOutlook(found), totals }
}
