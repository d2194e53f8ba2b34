/**
 * Subscription statuses. Owns the one table that says what every trigger does in every status; commands and due
 * items alike are decided by it. (Interface section 3)
 */
import * as z from 'zod'
import type { RefusalCode } from './refusal.ts'

export const Status = z.enum(['trialing', 'active', 'past_due', 'paused', 'canceled', 'expired'])
export type Status = z.infer<typeof Status>

/** What a caller can ask of a subscription. */
const commandTriggers = [
  'change_plan',
  'pause',
  'resume',
  'cancel_now',
  'cancel_at_period_end',
  'apply_discount',
  'extend_trial',
] as const
export type CommandTrigger = (typeof commandTriggers)[number]

/** What befalls a subscription without anybody asking. */
const clockTriggers = [
  'trial_end',
  'period_end',
  'payment_failed',
  'invoices_settled',
  'retries_exhausted',
] as const
export type ClockTrigger = (typeof clockTriggers)[number]

export type Trigger = CommandTrigger | ClockTrigger

/** The statuses a trigger may lead to, or how it is refused; `never` marks what cannot befall that status. */
export type Transition = readonly Status[] | RefusalCode | 'never'

const ended = {
  change_plan: 'invalid_transition',
  pause: 'invalid_transition',
  resume: 'invalid_transition',
  cancel_now: 'invalid_transition',
  cancel_at_period_end: 'invalid_transition',
  apply_discount: 'coupon_not_applicable',
  extend_trial: 'coupon_not_applicable',
  trial_end: 'never',
  period_end: 'never',
  payment_failed: 'never',
  invoices_settled: 'never',
  retries_exhausted: 'never',
} as const

const statusTable = {
  trialing: {
    change_plan: ['trialing'],
    pause: 'invalid_transition',
    resume: 'invalid_transition',
    cancel_now: ['canceled'],
    cancel_at_period_end: ['trialing'],
    apply_discount: ['trialing'],
    extend_trial: ['trialing'],
    trial_end: ['active', 'canceled', 'expired'],
    period_end: 'never',
    payment_failed: 'never',
    invoices_settled: 'never',
    retries_exhausted: 'never',
  },
  active: {
    change_plan: ['active'],
    pause: ['paused'],
    resume: 'invalid_transition',
    cancel_now: ['canceled'],
    cancel_at_period_end: ['active'],
    apply_discount: ['active'],
    extend_trial: ['active'],
    trial_end: 'never',
    period_end: ['active', 'canceled'],
    payment_failed: ['past_due'],
    invoices_settled: ['active'],
    retries_exhausted: 'never',
  },
  past_due: {
    change_plan: ['past_due'],
    pause: 'invalid_transition',
    resume: 'invalid_transition',
    cancel_now: ['canceled'],
    cancel_at_period_end: ['past_due'],
    apply_discount: ['past_due'],
    extend_trial: 'coupon_not_applicable',
    trial_end: 'never',
    period_end: ['past_due', 'canceled'],
    payment_failed: ['past_due'],
    invoices_settled: ['active'],
    retries_exhausted: ['canceled', 'expired', 'past_due'],
  },
  paused: {
    change_plan: ['paused'],
    pause: 'invalid_transition',
    resume: ['active'],
    cancel_now: ['canceled'],
    cancel_at_period_end: 'invalid_transition',
    apply_discount: ['paused'],
    extend_trial: 'coupon_not_applicable',
    trial_end: 'never',
    period_end: 'never',
    payment_failed: 'never',
    invoices_settled: 'never',
    retries_exhausted: 'never',
  },
  canceled: ended,
  expired: ended,
} as const satisfies Record<Status, Record<Trigger, Transition>>

/** What a trigger does in a status. */
export function transition(status: Status, trigger: Trigger): Transition {
  return statusTable[status][trigger]
}

/** Whether a status is one that nothing leads out of. */
export function isTerminal(status: Status): boolean {
  return status === 'canceled' || status === 'expired'
}

/** The statuses in which a command is allowed, for a message. */
export function statusesAllowing(trigger: CommandTrigger): Status[] {
  return Status.options.filter((status) => Array.isArray(statusTable[status][trigger]))
}
