/**
 * Runs a scenario: makes the world of its fixture, performs its steps by the operations that calls use, and writes what
 * is billed, and what happened, as text. Problems name their path in the scenario.
 */
import type * as z from 'zod'
import { isRefusal } from '../billing/refusal.ts'
import { type BillingOperationId, billingOperations } from '../operations/billing-operations.ts'
import { destinationOf } from '../operations/horizon.ts'
import { findStatus } from '../operations/page.ts'
import { addMillis, type Instant } from '../time/instant.ts'
import { billingText } from '../wire/billing/billing-text.ts'
import { WireCharge } from '../wire/billing/charge.ts'
import type { ClockAdvance } from '../wire/billing/clock.ts'
import { presentInvoice } from '../wire/billing/invoice.ts'
import { camelKeys, presentAs } from '../wire/common/case.ts'
import { instantText } from '../wire/common/text.ts'
import { presentEvent } from '../wire/events/event.ts'
import { eventText } from '../wire/events/event-text.ts'
import { advance, advanceToInstant, instantAfter } from '../world/advance.ts'
import { clockCause, type Event, noRequest } from '../world/event.ts'
import { checkExists } from '../world/results.ts'
import { settingsOf, type World } from '../world/world.ts'
import type { Fixture } from './fixture-format.ts'
import { FixtureError, fixtureError, throwRefusal } from './fixture-history.ts'
import { makeWorld } from './fixtures.ts'
import { operationsIn, type Scenario, type When } from './scenario-format.ts'

type ClockMove = z.output<typeof ClockAdvance>

/** Runs a scenario, and returns its text. Throws `FixtureError` for what cannot be done, or is refused. */
export async function runScenario(scenario: Scenario, fixture: Fixture): Promise<string> {
  const world = await startWorld(scenario, fixture)
  const start = world.clock.now()
  const { events: firstSeq } = world.sequences
  const settled = new Set(
    [...world.invoices.values()].flatMap(({ invoiceId, status }) =>
      status === 'open' ? [] : invoiceId,
    ),
  )
  const charged = new Set(world.charges.keys())
  const end = instantOf(scenario.before, start, 'before')
  if (end <= start) throw fixtureError('before', `must be after ${start}, the start; got ${end}.`)
  for (const [index, step] of scenario.steps.entries()) {
    await performStep(world, step, { field: `steps[${index}]`, start, end })
  }
  // An advance may end after it.
  const now = world.clock.now()
  if (now >= end)
    throw fixtureError('before', `must be after ${now}, where the steps end; got ${end}.`)
  throwRefusal('before', await advanceToInstant(world, addMillis(end, -1), 'before'))
  const isShown = ownerFilter(world, scenario)
  const billed = {
    invoices: [...world.invoices.values()]
      .filter((invoice) => !settled.has(invoice.invoiceId) && isShown(invoice))
      .map(presentInvoice),
    charges: [...world.charges.values()]
      .filter((charge) => !charged.has(charge.chargeId) && isShown(charge))
      .map((charge) => presentAs(WireCharge, charge)),
  }
  const lines = world.events
    .after(firstSeq)
    .filter((event) => isShown(ownerOf(world, event)))
    .flatMap(lineOf)
  const title = scenario.description === '' ? '' : `${scenario.description.trimEnd()}\n`
  return [
    `${title}${instantText(start)} -> ${instantText(end)}\n`,
    billingText(billed),
    `Timeline\n${lines.map((line) => `${line}\n`).join('')}`,
  ].join('\n')
}

async function startWorld({ now, settings }: Scenario, fixture: Fixture): Promise<World> {
  const world = await makeWorld(fixture, {
    ...{ sandboxId: 'default', name: 'scenario', startsRunning: false },
    startAt: now ?? null,
    settings: camelKeys(settings),
  }).catch((error: unknown) => {
    if (!(error instanceof FixtureError)) throw error
    throw new FixtureError(
      ...error.problems.map(({ field, message }) => ({
        field: `fixture.${field}`,
        message: `fixture.${message}`,
      })),
    )
  })
  if (isRefusal(world)) throw new FixtureError({ field: 'now', message: world.message })
  return world
}

interface Place {
  readonly field: string
  readonly start: Instant
  readonly end: Instant
}

async function performStep(
  world: World,
  { at, ...operations }: Scenario['steps'][number],
  { field, start, end }: Place,
): Promise<void> {
  const now = world.clock.now()
  const instant = at === undefined ? now : instantOf(at as When, start, `${field}.at`)
  if (instant < now) {
    throw fixtureError(
      `${field}.at`,
      `must be ${now}, where the clock is by then, or later; got ${instant}.`,
    )
  }
  if (instant >= end) {
    throw fixtureError(`${field}.at`, `must be earlier than ${end}, the end; got ${instant}.`)
  }
  throwRefusal(`${field}.at`, await advanceToInstant(world, instant, `${field}.at`))
  for (const [id, input] of operationsIn(operations)) {
    const named = `${field}.${id}`
    if (id === 'advanceClock') await moveClock(world, input as ClockMove, named)
    else {
      const operation = billingOperations[id as BillingOperationId]
      const answer = await operation.perform(world, input as Record<string, unknown>, noRequest)
      throwRefusal(named, answer)
    }
  }
}

async function moveClock(world: World, order: ClockMove, field: string): Promise<void> {
  const moved = await advance(world, destinationIn(world, order, field), { cause: clockCause })
  if (isRefusal(moved)) return throwRefusal(field, moved)
  const { stoppedBecause: reason } = moved
  if (reason === 'reached' || reason === 'condition_met') return
  throw fixtureError(field, `stopped at ${moved.to}, because ${reason}.`)
}

function destinationIn(world: World, order: ClockMove, field: string) {
  return destinationOf(order, (name) => {
    const found = findStatus(name, settingsOf(world))
    if ('status' in found) return found.status
    throw fixtureError(`${field}.until.status`, `${found.rule}.`)
  })
}

function instantOf(when: When, start: Instant, field: string): Instant {
  if (typeof when === 'string') return when
  const instant = instantAfter(start, when, field)
  if (isRefusal(instant)) throw new FixtureError({ field, message: instant.message })
  return instant
}

/** Whom a record is about; null for both where it is about the sandbox. */
interface Owner {
  readonly customerId: string | null
  readonly subscriptionId?: string | null
}

/** Whether a record is about the customers or the subscriptions that are asked for. */
function ownerFilter(
  world: World,
  { customers, subscriptions }: Scenario,
): (owner: Owner) => boolean {
  for (const [field, ids, records] of [
    ['customers', customers, world.customers],
    ['subscriptions', subscriptions, world.subscriptions],
  ] as const) {
    for (const [index, id] of (ids ?? []).entries()) {
      const path = `${field}[${index}]`
      const refusal = checkExists(records, path, id)
      if (refusal !== null) throw new FixtureError({ field: path, message: refusal.message })
    }
  }
  if (customers === undefined && subscriptions === undefined) return () => true
  return ({ customerId, subscriptionId }) =>
    (customerId !== null && customers?.includes(customerId) === true) ||
    (typeof subscriptionId === 'string' && subscriptions?.includes(subscriptionId) === true)
}

function ownerOf({ subscriptions, invoices, charges }: World, { subject }: Event): Owner {
  const { kind, id } = subject
  const none = { customerId: null }
  if (kind === 'subscription') return subscriptions.get(id) ?? none
  return (kind === 'invoice' ? invoices.get(id) : charges.get(id)) ?? none
}

/** A line of the timeline; none for what another event of the same moment says. */
function lineOf(event: Event): string[] {
  const text = eventText(presentEvent(event))
  if (text === null) return []
  const who = event.subject.kind === 'subscription' ? `${event.subject.id} ` : ''
  return [`${instantText(event.at).padEnd(16)}  ${who}${text}`]
}
