/**
 * The world of one sandbox: every record, the indexes over them, and the one way to change them. Owns no rules: billing
 * and tokens decide, this module applies.
 */
import * as z from 'zod'
import { type AssumptionSlug, Settings, settingsInForce } from '../assumptions/register.ts'
import type { Invoice } from '../billing/invoice.ts'
import {
  type PaymentScripts,
  type ScriptScope,
  scopeKey,
  scriptScopes,
} from '../billing/payment.ts'
import type { Outcome } from '../billing/step.ts'
import { Instant } from '../time/instant.ts'
import {
  type CollectionName,
  type Collections,
  collections,
  eachCollection,
  type RecordOf,
  recordsOf,
} from './collections.ts'
import { DueQueue } from './due-queue.ts'
import type { Cause, Event, Fact } from './event.ts'
import { EventLog } from './event-log.ts'
import { Records } from './records.ts'
import { noSequences, type Sequences } from './sequences.ts'
import { StateDocumentError } from './state-document-error.ts'
import { TransitionCounts } from './transitions.ts'
import { VirtualClock } from './virtual-clock.ts'

/** An additional API key of the sandbox: `sk_sandbox_<id>_<suffix>`. */
export const ApiKey = z.strictObject({
  suffix: z.string().regex(/^[a-z0-9]{1,64}$/),
  revoked: z.boolean(),
})

/** The origin of a world, which a reset returns to; `startAt` is null for the fixture's own start. */
export const Origin = z.strictObject({
  fixture: z.string(),
  startAt: Instant.nullable(),
  startsRunning: z.boolean(),
  settings: Settings,
})
export type Origin = z.infer<typeof Origin>

export interface World extends Collections {
  readonly sandboxId: string
  readonly origin: Origin
  readonly clock: VirtualClock
  /** As they were set, and stored; what decides is `settingsOf`. */
  chosenSettings: Settings
  apiKeys: readonly z.infer<typeof ApiKey>[]
  readonly sequences: Sequences
  readonly events: EventLog
  readonly due: DueQueue
  /** The recent transitions of its subscriptions; not part of its state. */
  transitions: TransitionCounts
  /** The assumptions that steps on it have used, also where the clock took them; not part of its state. */
  readonly assumed: Set<AssumptionSlug>
}

export function emptyWorld(sandboxId: string, origin: Origin, now: Instant): World {
  return {
    sandboxId,
    origin,
    clock: new VirtualClock(now),
    chosenSettings: origin.settings,
    apiKeys: [],
    sequences: noSequences(),
    ...(eachCollection((name) =>
      new Records<never>(collections[name]).trackChanges(),
    ) as unknown as Collections),
    events: new EventLog(),
    due: new DueQueue(),
    transitions: new TransitionCounts(),
    assumed: new Set(),
  }
}

/** A world for looking ahead: it shares the records, which are never mutated, starts without events, and is not stored. */
export function forkWorld(world: World): World {
  return {
    ...world,
    ...copyCounters(world),
    clock: new VirtualClock(world.clock.now()),
    ...(eachCollection((name) => world[name].fork()) as Collections),
    events: new EventLog(),
  }
}

/** A full copy for another sandbox. */
export function copyWorld(world: World, sandboxId: string): World {
  const { clock, events } = world
  return {
    ...world,
    ...copyCounters(world),
    sandboxId,
    clock: new VirtualClock(clock.now(), clock.offsetMs),
    ...(eachCollection((name) => world[name].fork().trackChanges()) as Collections),
    events: events.copy(),
  }
}

/** What a fork and a copy change on their own. */
function copyCounters({ sequences, due }: World) {
  const own = { transitions: new TransitionCounts(), assumed: new Set<AssumptionSlug>() }
  return { sequences: { ...sequences }, due: due.fork(), ...own }
}

/** The settings in force. */
export function settingsOf({ chosenSettings }: Pick<World, 'chosenSettings'>): Settings {
  return settingsInForce(chosenSettings)
}

/** What billing knows of a world beyond an account. */
export function circumstancesOf(world: World) {
  return { now: world.clock.now(), settings: settingsOf(world) }
}

/** Applies the changes of an outcome and appends its facts as events at the world's now. */
export function applyOutcome(world: World, outcome: Outcome, cause: Cause): void {
  const { customer, coupon, promotion, subscription, invoices, scripts } = outcome.changes
  if (customer) putRecord(world, 'customers', customer)
  if (coupon) putRecord(world, 'coupons', coupon)
  if (promotion) putRecord(world, 'promotions', promotion)
  if (subscription) putRecord(world, 'subscriptions', subscription)
  for (const invoice of invoices ?? []) putRecord(world, 'invoices', invoice)
  for (const scope of scripts ? scriptScopes : []) {
    const script = scripts?.[scope]
    if (script) putRecord(world, 'paymentScripts', script)
  }
  recordFacts(world, outcome.facts, cause)
  world.transitions.add(cause.requestId, outcome.transitions)
  for (const slug of outcome.assumptions) world.assumed.add(slug)
}

export function recordFacts(world: World, facts: readonly Fact[], cause: Cause): void {
  const at = world.clock.now()
  for (const { type, subject, detail } of facts) {
    world.sequences.events += 1
    addEvent(world, { seq: world.sequences.events, type, at, subject, cause, detail })
  }
}

/** Appends an event to the stream. The records that it is about exist. */
export function addEvent({ events, invoices }: World, event: Event): void {
  const { kind, id } = event.subject
  const owner = kind === 'invoice' ? invoices.get(id)?.subscriptionId : undefined
  events.push(event, kind === 'subscription' ? id : (owner ?? null))
}

/** Puts a record into its collection, and does what follows from it: what is due, the newest invoice, a script used up. */
export function putRecord<Name extends CollectionName>(
  world: World,
  name: Name,
  record: RecordOf<Name>,
): void {
  recordsOf(world, name).put(record)
  afterPut[name]?.(world, record)
}

type AfterPut = {
  readonly [Name in CollectionName]?: (world: World, record: RecordOf<Name>) => void
}

const afterPut: AfterPut = {
  subscriptions: (world, subscription) => world.due.scheduleBoundary(subscription),
  invoices: indexInvoice,
  /** A script with neither outcomes nor a standing rule is dropped. */
  paymentScripts: (world, { scope, outcomes, always }) => {
    if (outcomes.length === 0 && always === null) world.paymentScripts.delete(scopeKey(scope))
  },
}

/** Queues the next attempt of an invoice, and keeps the sequence at the highest number. */
function indexInvoice(world: World, invoice: Invoice): void {
  const { invoiceId, subscriptionId, sequence } = invoice
  const owner = world.subscriptions.get(subscriptionId)
  if (owner === undefined) {
    throw new StateDocumentError(invoiceId, `refers to "${subscriptionId}", which is not there`)
  }
  world.sequences.invoices = Math.max(world.sequences.invoices, sequence)
  world.due.scheduleRetry(invoice, owner.sequence)
}

/** The open invoices of a subscription, in the order in which they were made. */
export function openInvoicesOf({ invoices }: World, subscriptionId: string): Invoice[] {
  const filter = { subscriptionId, status: 'open' }
  return invoices.list({ filter }).map(([, invoice]) => invoice)
}

const noScripts: PaymentScripts = { subscription: null, customer: null, sandbox: null }

/** The scripts that apply to a customer's payment, nearest scope first. */
export function scriptsFor(
  world: World,
  customerId: string,
  subscriptionId: string | null,
): PaymentScripts {
  if (world.paymentScripts.size === 0) return noScripts
  const at = (scope: ScriptScope) => world.paymentScripts.get(scopeKey(scope)) ?? null
  return {
    subscription: subscriptionId === null ? null : at({ subscriptionId, customerId: null }),
    customer: at({ subscriptionId: null, customerId }),
    sandbox: at({ subscriptionId: null, customerId: null }),
  }
}
