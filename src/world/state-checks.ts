/**
 * Checks that a world does not contradict itself, beyond the shape of its records: references, counted ids, schedules,
 * currencies, instants, and the books that an audit reads. Every world that is read, imported or built from a fixture
 * passes them: an undetected defect would break a later request.
 */
import { FAULTS_MAX } from '../assumptions/bounds.ts'
import { auditInSteps } from '../billing/audit.ts'
import { intervalOf, type Plan } from '../billing/catalog.ts'
import { numberedId } from '../billing/id.ts'
import type { Invoice } from '../billing/invoice.ts'
import type { Subscription } from '../billing/subscription.ts'
import type { Instant } from '../time/instant.ts'
import { boundary } from '../time/period.ts'
import { CLOCK_MAX } from './advance.ts'
import { checkReferences } from './references.ts'
import { StateDocumentError } from './state-document-error.ts'
import { runInSlices } from './time-slice.ts'
import type { World } from './world.ts'

/** Throws `StateDocumentError` for the first record that contradicts another, or the books. */
export async function checkWorld(world: World): Promise<void> {
  await runInSlices(checkRecords(world))
  const [violation] = await runInSlices(auditInSteps({ ...booksOf(world), dueNow: 'waiting' }))
  if (violation === undefined) return
  const { id, invariant, message } = violation
  throw new StateDocumentError(id, `breaks ${invariant}: ${message}`)
}

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
function* checkRecords(world: World): Generator<void> {
  const { clock, subscriptions, invoices, charges, tokenFamilies, tokens } = world
  assert(clock.now() <= CLOCK_MAX, 'clock.now', `lies past ${CLOCK_MAX}, the end of the clock`)
  assert(world.faults.size <= FAULTS_MAX, 'faults', `has more than ${FAULTS_MAX}`)
  yield* checkReferences(world)
  yield* checkSequences(world)
  const newest = new Map<string, Invoice>()
  for (const each of invoices.values()) yield void newest.set(each.subscriptionId, each)
  for (const [id, each] of subscriptions) {
    yield checkSubscription(world, each, newest.get(id) ?? null)
  }
  for (const each of invoices.values()) yield checkInvoice(world, each)
  for (const { chargeId, createdAt, ...charge } of charges.values()) {
    yield checkPast(world, chargeId, [createdAt])
    checkCurrency(world, { id: chargeId, ...charge })
  }
  for (const { familyId, issuedAt, revokedAt } of tokenFamilies.values()) {
    yield checkPast(world, familyId, [issuedAt, revokedAt])
  }
  for (const { familyId, rotatedAt } of tokens.values()) {
    yield checkPast(world, familyId, [rotatedAt])
  }
}

function assert(isSo: boolean, id: string, reason: string): void {
  if (!isSo) throw new StateDocumentError(id, reason)
}

/** Collections whose records are never deleted and whose ids nobody chooses. */
const counted = [
  ['invoices', 'inv_'],
  ['charges', 'ch_'],
  ['tokenFamilies', 'fam_'],
] as const

/**
 * Counted numbers rise, and the sequence is the highest: a number assigned twice would overwrite a record. The number of
 * a subscription is skipped only if a caller chose its id for another one.
 */
function* checkSequences(world: World): Generator<void> {
  let [newest, count] = [0, 0]
  for (const [id, { sequence }] of world.subscriptions) {
    yield
    count += 1
    const isNext = sequence > newest && sequence < 2 * count
    assert(isNext, id, `has the number ${sequence} out of order`)
    newest = sequence
  }
  checkSequence(world, 'subscriptions', newest)
  for (const [name, prefix] of counted) {
    let number = 0
    for (const id of world[name].keys()) {
      yield
      number += 1
      const expected = numberedId(prefix, number)
      assert(id === expected, id, `stands where ${expected} should`)
    }
    checkSequence(world, name, number)
  }
  checkSequence(world, 'events', world.events.newest?.seq ?? 0)
}

function checkSequence({ sequences }: World, name: keyof World['sequences'], newest: number): void {
  assert(sequences[name] === newest, `sequences.${name}`, `is not ${newest}, the newest number`)
}

function checkSubscription(world: World, subscription: Subscription, newest: Invoice | null): void {
  const { subscriptionId: id, createdAt, canceledAt, endedAt, pausedAt, discounts } = subscription
  const past = [createdAt, subscription.currentPeriodStart, canceledAt, endedAt, pausedAt]
  checkPast(world, id, [...past, ...discounts.map(({ appliedAt }) => appliedAt)])
  assert(isOnSchedule(world, subscription), id, 'has its period off the schedule of its anchor')
  const { customerId, planId, pendingPlanId } = subscription
  const currency = world.customers.get(customerId)?.currency
  const plans = pendingPlanId === null ? [planId] : [planId, pendingPlanId]
  const isOne = plans.every((each) => world.plans.get(each)?.currency === currency)
  assert(isOne, id, 'has a plan in another currency than its customer')
  const isBilled = isBilledBy(subscription, newest)
  assert(isBilled, id, 'was billed with something else than its newest invoice')
}

/** A period starts and ends at boundaries of its schedule; else the next one would not follow it. */
function isOnSchedule({ plans }: World, subscription: Subscription): boolean {
  const { planId, anchor, cycle, currentPeriodStart, currentPeriodEnd } = subscription
  const plan = plans.get(planId)
  if (plan === undefined) return true
  if (boundaryOf(anchor, plan, cycle) !== currentPeriodEnd) return false
  // A trial, a resume and an extension end a period at the start of the next schedule.
  return cycle === 0 || boundaryOf(anchor, plan, cycle - 1) === currentPeriodStart
}

/** Null beyond the last writable instant. */
function boundaryOf(anchor: Instant, plan: Plan, cycle: number): Instant | null {
  try {
    return boundary(anchor, intervalOf(plan), cycle)
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/** An upgrade is prorated by the line that billed the running period: the last line of the newest invoice. */
function isBilledBy(subscription: Subscription, newest: Invoice | null): boolean {
  const { billed, planId, currentPeriodStart: start } = subscription
  if (newest === null) return billed === null
  if (billed?.invoiceId !== newest.invoiceId || newest.lines.at(-1)?.planId !== planId) return false
  const { reason, createdAt } = newest
  return reason === 'period' ? createdAt === start : createdAt >= start
}

function checkInvoice(world: World, invoice: Invoice): void {
  const { invoiceId: id, subscriptionId, customerId, attempts, createdAt, paidAt } = invoice
  const isSame = world.subscriptions.get(subscriptionId)?.customerId === customerId
  assert(isSame, id, 'bills another customer than its subscription has')
  checkCurrency(world, { id, ...invoice })
  checkPast(world, id, [createdAt, paidAt, ...attempts.map(({ at }) => at)])
}

function checkCurrency(
  { customers }: World,
  bill: { readonly id: string; readonly customerId: string; readonly currency: string },
): void {
  const isSame = customers.get(bill.customerId)?.currency === bill.currency
  assert(isSame, bill.id, 'is in another currency than its customer')
}

/** What has happened is not after the now. */
function checkPast({ clock }: World, id: string, instants: readonly (Instant | null)[]): void {
  const now = clock.now()
  const later = instants.find((instant) => instant !== null && instant > now) ?? null
  assert(later === null, id, `has something at ${later}, after the virtual now ${now}`)
}
