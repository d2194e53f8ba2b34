/**
 * Checks that a world does not contradict itself, beyond the shape of its records: references, counted ids, schedules,
 * currencies, instants, and the books that an audit reads. Every world that is read, imported or built from a fixture
 * passes them: an undetected defect would break a later request.
 */
import { auditInSteps } from '../billing/audit.ts'
import type { Invoice } from '../billing/invoice.ts'
import type { Subscription } from '../billing/subscription.ts'
import type { Instant } from '../time/instant.ts'
import { CLOCK_MAX } from './advance.ts'
import { paced } from './paced.ts'
import { checkReferences } from './references.ts'
import { checkSequences } from './sequence-checks.ts'
import { StateDocumentError } from './state-document-error.ts'
import { checkBilled, checkPlans, checkSchedule, newestInvoices } from './subscription-checks.ts'
import type { World } from './world.ts'

/** Throws `StateDocumentError` for the first record that contradicts another, or the books. */
export async function checkWorld(world: World): Promise<void> {
  await paced(checks(world))
  const [violation] = await paced(auditInSteps({ ...booksOf(world), dueNow: 'waiting' }))
  if (violation === undefined) return
  const { id, invariant, message } = violation
  throw new StateDocumentError(id, `breaks ${invariant}: ${message}`)
}

/** The records that an audit reads. */
export function booksOf(world: World) {
  return {
    now: world.clock.now(),
    customers: world.customers.values(),
    subscriptions: world.subscriptions.values(),
    invoices: world.invoices.values(),
    events: world.events,
  }
}

/** Checks one record with each step. */
function* checks(world: World): Generator<void> {
  if (world.clock.now() > CLOCK_MAX) {
    throw new StateDocumentError('clock.now', `lies past ${CLOCK_MAX}, the end of the clock`)
  }
  yield* checkReferences(world)
  yield* checkSequences(world)
  const newest = yield* newestInvoices(world)
  for (const each of world.subscriptions.values()) {
    yield checkPast(world, each.subscriptionId, instantsOf(each))
    checkSchedule(world, each)
    checkPlans(world, each)
    checkBilled(each, newest.get(each.subscriptionId) ?? null)
  }
  for (const each of world.invoices.values()) yield checkInvoice(world, each)
  for (const { chargeId, customerId, currency, createdAt } of world.charges.values()) {
    yield checkPast(world, chargeId, [createdAt])
    checkCurrency(world, { id: chargeId, customerId, currency })
  }
  yield* checkTokens(world)
}

function instantsOf(subscription: Subscription): (Instant | null)[] {
  const { createdAt, currentPeriodStart, canceledAt, endedAt, pausedAt, discounts } = subscription
  const past = [createdAt, currentPeriodStart, canceledAt, endedAt, pausedAt]
  return [...past, ...discounts.map(({ appliedAt }) => appliedAt)]
}

function checkInvoice(world: World, invoice: Invoice): void {
  const { invoiceId, subscriptionId, customerId, attempts } = invoice
  if (world.subscriptions.get(subscriptionId)?.customerId !== customerId) {
    throw new StateDocumentError(invoiceId, 'bills another customer than its subscription has')
  }
  checkCurrency(world, { ...invoice, id: invoiceId })
  checkPast(world, invoiceId, [invoice.createdAt, invoice.paidAt, ...attempts.map(({ at }) => at)])
}

function* checkTokens({ clock, tokenFamilies, tokens }: World): Generator<void> {
  for (const { familyId, issuedAt, revokedAt } of tokenFamilies.values()) {
    yield checkPast({ clock }, familyId, [issuedAt, revokedAt])
  }
  for (const { familyId, rotatedAt } of tokens.values()) {
    yield checkPast({ clock }, familyId, [rotatedAt])
  }
}

function checkCurrency(
  { customers }: World,
  bill: { readonly id: string; readonly customerId: string; readonly currency: string },
): void {
  if (customers.get(bill.customerId)?.currency === bill.currency) return
  throw new StateDocumentError(bill.id, 'is in another currency than its customer')
}

/** What has happened is not after the now. */
function checkPast(
  { clock }: Pick<World, 'clock'>,
  id: string,
  instants: readonly (Instant | null)[],
): void {
  const now = clock.now()
  const later = instants.find((instant) => instant !== null && instant > now)
  if (later === undefined) return
  throw new StateDocumentError(id, `has something at ${later}, after the virtual now ${now}`)
}
