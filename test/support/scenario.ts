/**
 * Scenarios: a tiny world over the pure functions, so that a test reads given, when, then. The due items are found by
 * looking at every one of them each time, which is slow and obviously right: a model for the due queue of the shell.
 */
import { initialSettings, type Settings } from '../../src/assumptions/register.ts'
import type { Plan } from '../../src/billing/catalog.ts'
import type { Charge } from '../../src/billing/charge.ts'
import type { Coupon, Promotion } from '../../src/billing/coupon.ts'
import type { Customer } from '../../src/billing/customer.ts'
import type { BillingFact } from '../../src/billing/event.ts'
import type { Invoice } from '../../src/billing/invoice.ts'
import type { PaymentScript, PaymentScripts } from '../../src/billing/payment.ts'
import type { BillingRefusal } from '../../src/billing/refusal.ts'
import { type Due, settle } from '../../src/billing/settle.ts'
import type { Account, Changes, Outcome } from '../../src/billing/step.ts'
import { boundaryDueAt, type Subscription } from '../../src/billing/subscription.ts'
import type { Instant } from '../../src/time/instant.ts'
import { instant } from './catalog.ts'

/** Everything there is at one moment. Lists are in the order of creation. */
export interface Scenario {
  readonly now: Instant
  readonly settings: Settings
  readonly plans: readonly Plan[]
  readonly customers: readonly Customer[]
  readonly coupons: readonly Coupon[]
  readonly promotions: readonly Promotion[]
  readonly subscriptions: readonly Subscription[]
  readonly invoices: readonly Invoice[]
  readonly charges: readonly Charge[]
  readonly scripts: readonly PaymentScript[]
  readonly facts: readonly (BillingFact & { readonly at: Instant })[]
  /** Why the last action was refused; null where it was not. */
  readonly refusal: BillingRefusal | null
}

/** One thing that happens to a world. */
export type Action = (scenario: Scenario) => Scenario

/** The first subscription of every scenario. */
export const FIRST = 'sub_000001'

/** A world at an instant, after some actions. */
export function given(now: string, ...actions: readonly Action[]): Scenario {
  const nothing = { plans: [], customers: [], coupons: [], promotions: [], charges: [] }
  const none = { subscriptions: [], invoices: [], scripts: [], facts: [], refusal: null }
  return when({ now: instant(now), settings: initialSettings, ...nothing, ...none }, ...actions)
}

/** The world after some actions, one after the other. */
export function when(scenario: Scenario, ...actions: readonly Action[]): Scenario {
  return actions.reduce((before, action) => action(unrefused(before)), scenario)
}

/** Moves the clock to an instant and settles all that falls due on the way, that instant included. */
export function advanceTo(text: string): Action {
  const to = instant(text)
  return (scenario) => {
    if (to < scenario.now) throw new Error(`${text} is before ${scenario.now}`)
    let present = scenario
    for (let item = nextDue(present); item !== null && item.at <= to; item = nextDue(present)) {
      present = settleOne({ ...present, now: item.at }, item)
    }
    return { ...present, now: to }
  }
}

/** One thing that falls due, and all that decides when its turn comes. */
export interface DueItem {
  readonly at: Instant
  readonly rank: 1 | 2
  readonly subscription: Subscription
  readonly invoiceSequence: number
  readonly due: Due
}

/** What falls due next; null when nothing does. */
export function nextDue(scenario: Scenario): DueItem | null {
  const [first] = [...periodEnds(scenario), ...retries(scenario)].sort(byTurn)
  return first ?? null
}

/** What one step needs of the world. */
export function accountOf(scenario: Scenario, subscriptionId: string): Account {
  const subscription = find(scenario.subscriptions, 'subscriptionId', subscriptionId)
  const { planId, pendingPlanId, customerId, billed } = subscription
  const ofSubscription = scenario.invoices.filter((each) => each.subscriptionId === subscriptionId)
  const billing = ofSubscription.find((each) => each.invoiceId === billed?.invoiceId)
  return {
    subscription,
    plan: find(scenario.plans, 'planId', planId),
    pendingPlan: pendingPlanId === null ? null : find(scenario.plans, 'planId', pendingPlanId),
    customer: find(scenario.customers, 'customerId', customerId),
    openInvoices: ofSubscription.filter((each) => each.status === 'open'),
    billedInvoice: billing ?? null,
    scripts: scriptsFor(scenario, { subscriptionId, customerId }),
    invoicesMade: scenario.invoices.length,
  }
}

/** The scripts that a payment of this subscription (null for a charge) and customer draws from. */
export function scriptsFor(
  { scripts }: Scenario,
  { subscriptionId, customerId }: PaymentScript['scope'],
): PaymentScripts {
  const of = (key: 'subscriptionId' | 'customerId', id: string | null) =>
    (id !== null && scripts.find(({ scope }) => scope[key] === id)) || null
  const isWhole = ({ scope }: PaymentScript) => !scope.subscriptionId && !scope.customerId
  return {
    subscription: of('subscriptionId', subscriptionId),
    customer: of('customerId', customerId),
    sandbox: scripts.find(isWhole) ?? null,
  }
}

/** The world after what a step answered. */
export function happened(
  scenario: Scenario,
  { changes, facts }: Pick<Outcome, 'changes' | 'facts'>,
): Scenario {
  return {
    ...withChanges(scenario, changes),
    facts: [...scenario.facts, ...facts.map((fact) => ({ ...fact, at: scenario.now }))],
  }
}

/** The one record with this identifier. Throws when there is none. */
export function find<Row, Key extends keyof Row>(
  rows: readonly Row[],
  key: Key,
  id: Row[Key],
): Row {
  const row = rows.find((each) => each[key] === id)
  if (row === undefined) throw new Error(`No record has ${String(key)} ${String(id)}`)
  return row
}

function unrefused(scenario: Scenario): Scenario {
  return { ...scenario, refusal: null }
}

function periodEnds({ subscriptions }: Scenario): DueItem[] {
  return subscriptions.flatMap((subscription) => {
    const at = boundaryDueAt(subscription)
    const kind = subscription.status === 'trialing' ? 'trial_end' : 'period_end'
    return at === null
      ? []
      : [{ at, rank: 2, subscription, invoiceSequence: 0, due: { kind } } as const]
  })
}

function retries({ subscriptions, invoices }: Scenario): DueItem[] {
  return invoices.flatMap(({ invoiceId, subscriptionId, sequence, nextAttemptAt: at }) => {
    const subscription = find(subscriptions, 'subscriptionId', subscriptionId)
    const due = { kind: 'payment_retry', invoiceId } as const
    return at === null
      ? []
      : [{ at, rank: 1, subscription, invoiceSequence: sequence, due } as const]
  })
}

function byTurn(one: DueItem, other: DueItem): number {
  if (one.at !== other.at) return one.at < other.at ? -1 : 1
  return (
    one.rank - other.rank ||
    one.subscription.sequence - other.subscription.sequence ||
    one.invoiceSequence - other.invoiceSequence
  )
}

function settleOne(scenario: Scenario, { subscription, due }: DueItem): Scenario {
  const account = accountOf(scenario, subscription.subscriptionId)
  return happened(scenario, settle(account, due, scenario))
}

function withChanges(scenario: Scenario, changes: Changes): Scenario {
  const { subscription, customer, invoices = [], scripts, coupon, promotion } = changes
  return {
    ...scenario,
    subscriptions: put(scenario.subscriptions, 'subscriptionId', subscription),
    customers: put(scenario.customers, 'customerId', customer),
    invoices: invoices.reduce<readonly Invoice[]>(
      (rows, invoice) => put(rows, 'invoiceId', invoice),
      scenario.invoices,
    ),
    coupons: put(scenario.coupons, 'couponId', coupon),
    promotions: put(scenario.promotions, 'code', promotion),
    scripts: scripts === undefined ? scenario.scripts : withScripts(scenario.scripts, scripts),
  }
}

function withScripts(rows: readonly PaymentScript[], changed: PaymentScripts): PaymentScript[] {
  const scopeOf = ({ scope }: PaymentScript) => `${scope.subscriptionId} ${scope.customerId}`
  const left = [changed.subscription, changed.customer, changed.sandbox].flatMap((row) => row ?? [])
  return rows.map((row) => left.find((each) => scopeOf(each) === scopeOf(row)) ?? row)
}

function put<Row extends object>(
  rows: readonly Row[],
  key: keyof Row,
  row: Row | undefined,
): readonly Row[] {
  if (row === undefined) return rows
  const at = rows.findIndex((each) => each[key] === row[key])
  return at === -1 ? [...rows, row] : rows.with(at, row)
}
