/**
 * The world of one sandbox: every record, the indexes over them, and the one way to change them. Owns no rules:
 * billing and tokens decide, this applies.
 */
import type { Settings } from '../assumptions/register.ts'
import type { Plan, Product } from '../billing/catalog.ts'
import type { Charge } from '../billing/charge.ts'
import type { Coupon, Promotion } from '../billing/coupon.ts'
import type { Customer } from '../billing/customer.ts'
import type { Invoice } from '../billing/invoice.ts'
import {
  type PaymentScript,
  type PaymentScripts,
  type ScriptScope,
  scriptScopes,
} from '../billing/payment.ts'
import type { Changes } from '../billing/step.ts'
import type { Subscription } from '../billing/subscription.ts'
import type { Instant } from '../time/instant.ts'
import type { Token, TokenFamily } from '../tokens/family.ts'
import { DueQueue } from './due-queue.ts'
import type { Cause, Fact } from './event.ts'
import { EventLog } from './event-log.ts'
import { paced } from './paced.ts'
import { Records } from './records.ts'
import type { Sequences } from './sequences.ts'
import { VirtualClock } from './virtual-clock.ts'

/** An API key beside the sandbox's own: `sk_sandbox_<id>_<suffix>`. */
export interface ApiKey {
  readonly suffix: string
  readonly revoked: boolean
}

/** What a world was made from, which a reset returns to; `startAt` is null where the fixture's own start was kept. */
export interface Origin {
  readonly fixture: string
  readonly startAt: Instant | null
  readonly startsRunning: boolean
  readonly settings: Settings
}

export interface World {
  readonly sandboxId: string
  readonly origin: Origin
  readonly clock: VirtualClock
  settings: Settings
  apiKeys: readonly ApiKey[]
  readonly sequences: Sequences
  readonly products: Map<string, Product>
  readonly plans: Map<string, Plan>
  readonly customers: Map<string, Customer>
  readonly coupons: Map<string, Coupon>
  readonly promotions: Map<string, Promotion>
  readonly subscriptions: Map<string, Subscription>
  readonly invoices: Map<string, Invoice>
  readonly charges: Map<string, Charge>
  readonly scripts: Map<string, PaymentScript>
  readonly families: Map<string, TokenFamily>
  readonly tokens: Map<string, Token>
  readonly events: EventLog
  readonly due: DueQueue
  /** Open invoices by subscription, in the order in which they were made. */
  readonly openInvoices: Map<string, Map<string, Invoice>>
}

/** A world with nothing in it, at an instant. */
export function emptyWorld(sandboxId: string, origin: Origin, now: Instant): World {
  return {
    sandboxId,
    origin,
    clock: new VirtualClock(now),
    settings: origin.settings,
    apiKeys: [],
    sequences: {
      products: 0,
      plans: 0,
      customers: 0,
      subscriptions: 0,
      invoices: 0,
      charges: 0,
      families: 0,
      events: 0,
    },
    products: new Records(),
    plans: new Records(),
    customers: new Records(),
    coupons: new Records(),
    promotions: new Records(),
    subscriptions: new Records(),
    invoices: new Records(),
    charges: new Records(),
    scripts: new Records(),
    families: new Records(),
    tokens: new Records(),
    events: new EventLog(),
    due: new DueQueue(),
    openInvoices: new Map(),
  }
}

/**
 * An independent copy that shares the records, which are never mutated, and starts with no events of its own. Made in
 * slices: nothing may change the world meanwhile. What `onResume` throws between two of them ends it.
 */
export function forkWorld(world: World, onResume?: () => void): Promise<World> {
  return paced(forkInSteps(world), onResume)
}

function* forkInSteps(world: World): Generator<void, World> {
  return {
    ...world,
    clock: new VirtualClock(world.clock.now()),
    sequences: { ...world.sequences },
    products: yield* copyOf(world.products),
    plans: yield* copyOf(world.plans),
    customers: yield* copyOf(world.customers),
    coupons: yield* copyOf(world.coupons),
    promotions: yield* copyOf(world.promotions),
    subscriptions: yield* copyOf(world.subscriptions),
    invoices: yield* copyOf(world.invoices),
    charges: yield* copyOf(world.charges),
    scripts: yield* copyOf(world.scripts),
    families: yield* copyOf(world.families),
    tokens: yield* copyOf(world.tokens),
    events: new EventLog(),
    due: yield* world.due.forkInSteps(),
    openInvoices: yield* copyOf(world.openInvoices, (open) => new Map(open)),
  }
}

function* copyOf<Value>(
  records: ReadonlyMap<string, Value>,
  copyEach: (value: Value) => Value = (value) => value,
): Generator<void, Map<string, Value>> {
  const copy = new Map<string, Value>()
  for (const [id, value] of records) {
    copy.set(id, copyEach(value))
    yield
  }
  return copy
}

/** Applies what a step changed and appends what happened at the world's now. */
export function apply(
  world: World,
  step: { readonly changes: Changes; readonly facts: readonly Fact[] },
  cause: Cause,
): void {
  const { customer, coupon, promotion, subscription, invoices, scripts } = step.changes
  if (customer) world.customers.set(customer.customerId, customer)
  if (coupon) world.coupons.set(coupon.couponId, coupon)
  if (promotion) world.promotions.set(promotion.code, promotion)
  if (subscription) putSubscription(world, subscription)
  for (const invoice of invoices ?? []) putInvoice(world, invoice)
  if (scripts) putScripts(world, scripts)
  record(world, step.facts, cause)
}

/** Appends facts to the event stream, numbered. */
export function record(world: World, facts: readonly Fact[], cause: Cause): void {
  const at = world.clock.now()
  for (const { type, subject, detail } of facts) {
    world.sequences.events += 1
    world.events.push({ seq: world.sequences.events, type, at, subject, cause, detail })
  }
}

/** Keeps a subscription and queues what falls due for it next. */
export function putSubscription(world: World, subscription: Subscription): void {
  world.subscriptions.set(subscription.subscriptionId, subscription)
  world.due.scheduleBoundary(subscription)
}

/** Keeps an invoice, lists it while it is open, and queues its next attempt. */
export function putInvoice(world: World, invoice: Invoice): void {
  const { invoiceId, subscriptionId, sequence, status } = invoice
  const owner = world.subscriptions.get(subscriptionId)
  if (owner === undefined)
    throw new Error(`${invoiceId} bills ${subscriptionId}, which is not there`)
  world.invoices.set(invoiceId, invoice)
  world.sequences.invoices = Math.max(world.sequences.invoices, sequence)
  world.due.scheduleRetry(invoice, owner.sequence)
  const open = world.openInvoices.get(subscriptionId) ?? new Map<string, Invoice>()
  if (status === 'open') open.set(invoiceId, invoice)
  else open.delete(invoiceId)
  if (open.size === 0) world.openInvoices.delete(subscriptionId)
  else world.openInvoices.set(subscriptionId, open)
}

/** Keeps a script under its scope; one with nothing left to say is dropped. */
export function putScript(world: World, script: PaymentScript): void {
  const key = scopeKey(script.scope)
  if (script.outcomes.length === 0 && script.always === null) world.scripts.delete(key)
  else world.scripts.set(key, script)
}

const noScripts: PaymentScripts = { subscription: null, customer: null, sandbox: null }

/** The scripts that a payment of a customer draws from, nearest scope first. */
export function scriptsFor(
  world: World,
  customerId: string,
  subscriptionId: string | null,
): PaymentScripts {
  if (world.scripts.size === 0) return noScripts
  const at = (scope: ScriptScope) => world.scripts.get(scopeKey(scope)) ?? null
  return {
    subscription: subscriptionId === null ? null : at({ subscriptionId, customerId: null }),
    customer: at({ subscriptionId: null, customerId }),
    sandbox: at({ subscriptionId: null, customerId: null }),
  }
}

/** A scope as one key. Caller-chosen ids hold no space, so no two scopes share one. */
export function scopeKey({ subscriptionId, customerId }: ScriptScope): string {
  if (subscriptionId !== null) return `subscription ${subscriptionId}`
  return customerId === null ? 'sandbox' : `customer ${customerId}`
}

function putScripts(world: World, scripts: PaymentScripts): void {
  for (const scope of scriptScopes) {
    const script = scripts[scope]
    if (script !== null) putScript(world, script)
  }
}
