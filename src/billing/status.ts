/**
 * Subscription statuses. Owns the one table of what every trigger does in every status, for commands and due items.
 * (Interface section 3)
 */
import * as z from 'zod'
import type { Settings } from '../assumptions/register.ts'

export const Status = z.enum(['trialing', 'active', 'past_due', 'paused', 'canceled', 'expired'])
export type Status = z.infer<typeof Status>

/** The commands of a caller on a subscription. `extend_trial` is the redemption of a trial extension. */
export type CommandTrigger =
  | 'change_plan'
  | 'pause'
  | 'resume'
  | 'cancel_now'
  | 'cancel_at_period_end'
  | 'remove_scheduled_cancellation'
  | 'apply_coupon'
  | 'extend_trial'

/** The triggers that no command names: due items, and what payments lead to. */
export type ConsequenceTrigger =
  | 'trial_end'
  | 'period_end'
  | 'payment_failed'
  | 'invoices_settled'
  | 'retries_exhausted'

export type Trigger = CommandTrigger | ConsequenceTrigger

type TransitionsFrom = { readonly [Each in CommandTrigger]?: Status } & {
  readonly [Each in ConsequenceTrigger]?: readonly Status[]
}

/**
 * The status after each command, and the statuses that a due item or a payment can lead to. A command that is not
 * listed is refused; a due item that is not listed never happens. A status without an entry is terminal.
 */
export const statusTable: Readonly<Record<Status, TransitionsFrom>> = {
  trialing: {
    change_plan: 'trialing',
    cancel_now: 'canceled',
    cancel_at_period_end: 'trialing',
    remove_scheduled_cancellation: 'trialing',
    apply_coupon: 'trialing',
    extend_trial: 'trialing',
    trial_end: ['active', 'canceled', 'expired'],
  },
  active: {
    change_plan: 'active',
    pause: 'paused',
    cancel_now: 'canceled',
    cancel_at_period_end: 'active',
    remove_scheduled_cancellation: 'active',
    apply_coupon: 'active',
    extend_trial: 'active',
    period_end: ['active', 'canceled'],
    payment_failed: ['past_due'],
  },
  past_due: {
    change_plan: 'past_due',
    cancel_now: 'canceled',
    cancel_at_period_end: 'past_due',
    remove_scheduled_cancellation: 'past_due',
    apply_coupon: 'past_due',
    period_end: ['past_due', 'canceled'],
    invoices_settled: ['active'],
    retries_exhausted: ['canceled'],
  },
  paused: {
    change_plan: 'paused',
    resume: 'active',
    cancel_now: 'canceled',
    remove_scheduled_cancellation: 'paused',
    apply_coupon: 'paused',
  },
  canceled: {},
  expired: {},
}

export function isAllowed(status: Status, trigger: Trigger): boolean {
  return statusTable[status][trigger] !== undefined
}

export function leadsTo(from: Status, trigger: Trigger, to: Status): boolean {
  return [statusTable[from][trigger]].flat().includes(to)
}

export function isTerminal(status: Status): boolean {
  return Object.keys(statusTable[status]).length === 0
}

/** The name of a status on the wire; only that of `paused` is a setting. */
export function statusName(
  status: Status,
  { pausedStatusName }: Pick<Settings, 'pausedStatusName'>,
): string {
  return status === 'paused' ? pausedStatusName : status
}

/** A row of the table: the trigger, and the statuses before and after, which may be the same. */
export type Transition = `${Status} ${Trigger} ${Status}`

export const transitions: readonly Transition[] = Status.options.flatMap((from) =>
  Object.entries<Status | readonly Status[]>(statusTable[from]).flatMap(([trigger, to]) =>
    [to].flat().map((each) => transitionOf(from, trigger as Trigger, each as Status)),
  ),
)

export function transitionOf(from: Status, trigger: Trigger, to: Status): Transition {
  return `${from} ${trigger} ${to}`
}
