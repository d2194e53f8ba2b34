/**
 * Subscription statuses. Owns the one table that says what every trigger does in every status; commands and due
 * items alike are decided by it. (Interface section 3)
 */
import * as z from 'zod'

export const Status = z.enum(['trialing', 'active', 'past_due', 'paused', 'canceled', 'expired'])
export type Status = z.infer<typeof Status>

/** What a caller can ask of a subscription. Extending a trial is asked with a coupon, and so are the others. */
export type CommandTrigger =
  | 'change_plan'
  | 'pause'
  | 'resume'
  | 'cancel_now'
  | 'cancel_at_period_end'
  | 'remove_scheduled_cancellation'
  | 'apply_coupon'
  | 'extend_trial'

/** What happens to a subscription without anybody asking. */
export type ClockTrigger =
  | 'trial_end'
  | 'period_end'
  | 'payment_failed'
  | 'invoices_settled'
  | 'retries_exhausted'

export type Trigger = CommandTrigger | ClockTrigger

type TransitionsFrom = { readonly [Each in CommandTrigger]?: Status } & {
  readonly [Each in ClockTrigger]?: readonly Status[]
}

/**
 * The status that a command leads to, and those that a due item or a payment can lead to. What is not listed is refused
 * when a caller asks for it, and otherwise never happens. A status with no entry is terminal.
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

/** Whether a trigger does anything in a status. */
export function isAllowed(status: Status, trigger: Trigger): boolean {
  return statusTable[status][trigger] !== undefined
}

/** Whether a trigger can lead from one status to another. */
export function leadsTo(from: Status, trigger: Trigger, to: Status): boolean {
  return [statusTable[from][trigger]].flat().includes(to)
}

/** Whether a status is one that nothing leads out of. */
export function isTerminal(status: Status): boolean {
  return Object.keys(statusTable[status]).length === 0
}

/** The statuses in which a command is allowed, for a message. */
export function statusesAllowing(trigger: CommandTrigger): Status[] {
  return Status.options.filter((status) => isAllowed(status, trigger))
}

/** What moved a subscription, from which status to which, which may be the same one: a row of the table. */
export type Transition = `${Status} ${Trigger} ${Status}`

/** Every transition that the table lists. */
export const transitions: readonly Transition[] = Status.options.flatMap((from) =>
  Object.entries<Status | readonly Status[]>(statusTable[from]).flatMap(([trigger, to]) =>
    [to].flat().map((each) => transitionOf(from, trigger as Trigger, each as Status)),
  ),
)

/** The name of a transition. */
export function transitionOf(from: Status, trigger: Trigger, to: Status): Transition {
  return `${from} ${trigger} ${to}`
}
