/**
 * One step of billing: the working copy of one account while a command is decided or a due item is settled. Owns how
 * changes, facts and assumptions are collected; seen from outside, a step is pure.
 */
import type { AssumptionSlug, Settings } from '../assumptions/register.ts'
import type { Instant } from '../time/instant.ts'
import type { Plan } from './catalog.ts'
import type { Coupon, Promotion } from './coupon.ts'
import type { Customer } from './customer.ts'
import type { BillingEventType, BillingFact } from './event.ts'
import type { Invoice } from './invoice.ts'
import type { PaymentScripts } from './payment.ts'
import {
  type CommandTrigger,
  leadsTo,
  type Status,
  statusName,
  statusTable,
  type Transition,
  type Trigger,
  transitionOf,
} from './status.ts'
import type { Subscription } from './subscription.ts'

/** The records that one step needs: never more, so that its cost does not grow with the world. */
export interface Account {
  readonly subscription: Subscription
  readonly plan: Plan
  readonly pendingPlan: Plan | null
  readonly customer: Customer
  /** In the order in which they were made. */
  readonly openInvoices: readonly Invoice[]
  /** The invoice that billed the running period; null if none did. */
  readonly billedInvoice: Invoice | null
  readonly scripts: PaymentScripts
  /** The sequence number of the newest invoice in the sandbox. */
  readonly invoicesMade: number
}

export interface Circumstances {
  readonly now: Instant
  readonly settings: Settings
}

/** The records that a step changed; absent ones did not change. */
export interface Changes {
  readonly subscription?: Subscription
  readonly customer?: Customer
  readonly invoices?: readonly Invoice[]
  readonly scripts?: PaymentScripts
  readonly coupon?: Coupon
  readonly promotion?: Promotion
}

/** The result of a step: the changed records, the facts, the transitions, and the assumptions that it used. */
export interface Outcome {
  readonly changes: Changes
  readonly facts: readonly BillingFact[]
  readonly transitions: readonly Transition[]
  readonly assumptions: readonly AssumptionSlug[]
}

type Writable<Fields> = { -readonly [Key in keyof Fields]: Fields[Key] }

/** The working copy. Records are replaced, never mutated. */
export interface Step extends Circumstances, Writable<Omit<Account, 'openInvoices'>> {
  coupon: Coupon | null
  promotion: Promotion | null
  /** Invoices that are open, or that this step created or changed, by id. */
  readonly invoices: Map<string, Invoice>
  readonly facts: BillingFact[]
  readonly transitions: Transition[]
  readonly assumptions: Set<AssumptionSlug>
}

/** Opens a working copy of an account. */
export function beginStep(
  { openInvoices: open, ...records }: Account,
  { now, settings }: Circumstances,
): Step {
  const invoices = new Map(open.map((invoice) => [invoice.invoiceId, invoice]))
  const blank = { coupon: null, promotion: null, facts: [], transitions: [] }
  return { now, settings, ...records, ...blank, invoices, assumptions: new Set() }
}

/** Closes a working copy: only records that differ from the account count as changed. */
export function endStep(step: Step, account: Account): Outcome {
  const before = new Set(account.openInvoices)
  const invoices = [...step.invoices.values()].filter((invoice) => !before.has(invoice))
  return {
    changes: {
      ...(step.subscription === account.subscription ? {} : { subscription: step.subscription }),
      ...(step.customer === account.customer ? {} : { customer: step.customer }),
      ...(step.scripts === account.scripts ? {} : { scripts: step.scripts }),
      ...(invoices.length === 0 ? {} : { invoices }),
      ...(step.coupon === null ? {} : { coupon: step.coupon }),
      ...(step.promotion === null ? {} : { promotion: step.promotion }),
    },
    facts: step.facts,
    transitions: step.transitions,
    assumptions: [...step.assumptions],
  }
}

/** The invoices that are open now, oldest first. */
export function openInvoices(step: Step): Invoice[] {
  return [...step.invoices.values()].filter((invoice) => invoice.status === 'open')
}

/** Moves the subscription to a status. Throws if the status table does not list the transition. */
export function moveTo(step: Step, trigger: Trigger, to: Status): void {
  const { status } = step.subscription
  if (!leadsTo(status, trigger, to)) throw new Error(`${trigger} cannot move ${status} to ${to}`)
  step.transitions.push(transitionOf(status, trigger, to))
  if (to !== status) step.subscription = { ...step.subscription, status: to }
}

/** Moves the subscription to the status after a command. Throws if the status table does not allow it. */
export function moveByCommand(step: Step, command: CommandTrigger): void {
  const { status } = step.subscription
  const to = statusTable[status][command]
  if (to === undefined) throw new Error(`${command} is not allowed while ${status}`)
  moveTo(step, command, to)
}

/** The current period of the subscription, as events report it. */
export function currentPeriod({ subscription }: Step) {
  const { currentPeriodStart, currentPeriodEnd } = subscription
  return { periodStart: currentPeriodStart, periodEnd: currentPeriodEnd }
}

export function report<Type extends BillingEventType>(
  step: Step,
  type: Type,
  detail: BillingFact<Type>['detail'],
): void {
  const subject = { kind: 'subscription', id: step.subscription.subscriptionId } as const
  step.facts.push({ type, subject, detail })
}

/** Reports a fact about one of its invoices, and stores the invoice in its current state. */
export function reportInvoice<Type extends BillingEventType>(
  step: Step,
  invoice: Invoice,
  { type, detail }: Pick<BillingFact<Type>, 'type' | 'detail'>,
): void {
  step.invoices.set(invoice.invoiceId, invoice)
  step.facts.push({ type, subject: { kind: 'invoice', id: invoice.invoiceId }, detail })
}

export function assume(step: Step, ...slugs: readonly AssumptionSlug[]): void {
  for (const slug of slugs) step.assumptions.add(slug)
}

/** The name of a status, for a message. */
export function nameStatus(step: Step, status: Status): string {
  if (status === 'paused') assume(step, 'paused-status-name')
  return statusName(status, step.settings)
}
