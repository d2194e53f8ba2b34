/**
 * What must happen to a subscription in every status, written from the rules and not from the status table: what every
 * command leads to, and what happens without one.
 */
import type { SubscriptionCommand } from '../../src/billing/decide.ts'
import { Status } from '../../src/billing/status.ts'
import {
  ask,
  cancelAtPeriodEnd,
  cancelNow,
  customerHas,
  pause,
  paymentsAlways,
  removeScheduledCancellation,
  resume,
  selling,
  setting,
  subscribe,
} from './actions.ts'
import { percentage, plan, trialExtension } from './catalog.ts'
import { statusIn } from './readings.ts'
import { advanceTo, given, type Scenario, when } from './scenario.ts'

const NOW = '2027-03-01T00:00:00Z'
const pro = plan('pro', 2000)
const cheap = plan('cheap', 400)
const plans = selling(plan('basic', 1000), pro, cheap)
const declined = paymentsAlways('card_declined')
const trial = subscribe('basic', { trialPeriodDays: 14 })
const CANCELED = 'subscription.canceled'
const PAST_DUE = 'subscription.past_due'
const penniless = customerHas({ paymentMethod: 'none' })

/** A subscription in every status there is, reached as a customer would reach it. */
export const scenarioTo: Record<Status, () => Scenario> = {
  trialing: () => given(NOW, plans, trial),
  active: () => given(NOW, plans, subscribe('basic')),
  past_due: () => given(NOW, plans, declined, subscribe('basic')),
  paused: () => given(NOW, plans, subscribe('basic'), pause),
  canceled: () => given(NOW, plans, subscribe('basic'), cancelNow),
  expired: () => given(NOW, plans, trial, penniless, advanceTo('2027-03-15')),
}

const commands = {
  upgrade: { kind: 'change_plan', plan: pro },
  downgrade: { kind: 'change_plan', plan: cheap },
  pause: { kind: 'pause' },
  resume: { kind: 'resume' },
  cancel_now: { kind: 'cancel_now' },
  cancel_at_period_end: { kind: 'cancel_at_period_end' },
  remove_scheduled_cancellation: { kind: 'remove_scheduled_cancellation' },
  discount: { kind: 'apply_coupon', coupon: percentage('SAVE20', 20) },
  trial_extension: { kind: 'apply_coupon', coupon: trialExtension('MORETIME', 14) },
} as const satisfies Record<string, SubscriptionCommand>
export type Asked = keyof typeof commands | 'pay_invoice'

/** A command as it is asked in a scenario. The invoice that it pays is the first one; a paid one where there is none. */
export function commandIn(scenario: Scenario, asked: Asked): SubscriptionCommand {
  if (asked !== 'pay_invoice') return commands[asked]
  const [invoice] = [...scenario.invoices, ...scenarioTo.active().invoices]
  if (invoice === undefined) throw new Error('An active subscription was billed')
  return { kind: 'pay_invoice', invoice }
}

const no = 'invalid_transition'
const ended: Record<Asked, string> = {
  upgrade: no,
  downgrade: no,
  pause: no,
  resume: no,
  cancel_now: no,
  cancel_at_period_end: no,
  remove_scheduled_cancellation: no,
  discount: 'coupon_not_applicable',
  trial_extension: 'coupon_not_applicable',
  pay_invoice: no,
}

/** What every command leads to in every status, written from the rules and not from the status table. */
const expected: Record<Status, Record<Asked, string>> = {
  trialing: {
    upgrade: 'trialing',
    downgrade: 'trialing',
    pause: no,
    resume: no,
    cancel_now: 'canceled',
    cancel_at_period_end: 'trialing',
    remove_scheduled_cancellation: no,
    discount: 'trialing',
    trial_extension: 'trialing',
    pay_invoice: no,
  },
  active: {
    upgrade: 'active',
    downgrade: 'active',
    pause: 'paused',
    resume: no,
    cancel_now: 'canceled',
    cancel_at_period_end: 'active',
    remove_scheduled_cancellation: no,
    discount: 'active',
    trial_extension: 'active',
    pay_invoice: no,
  },
  past_due: {
    upgrade: 'past_due',
    downgrade: 'past_due',
    pause: no,
    resume: no,
    cancel_now: 'canceled',
    cancel_at_period_end: 'past_due',
    remove_scheduled_cancellation: no,
    discount: 'past_due',
    trial_extension: 'coupon_not_applicable',
    pay_invoice: 'past_due',
  },
  paused: {
    upgrade: 'paused',
    downgrade: 'paused',
    pause: no,
    resume: 'active',
    cancel_now: 'canceled',
    cancel_at_period_end: no,
    remove_scheduled_cancellation: no,
    discount: 'paused',
    trial_extension: 'coupon_not_applicable',
    pay_invoice: no,
  },
  canceled: ended,
  expired: ended,
}

/** What the clock and payments lead to: the scenario, the status that it ends in, and what it reports. */
export const onItsOwn: readonly [string, () => Scenario, readonly [Status, ...string[]]][] = [
  [
    'a trial that ends',
    () => when(scenarioTo.trialing(), advanceTo('2027-03-15')),
    ['active', 'subscription.trial_ended', 'subscription.activated'],
  ],
  [
    'a trial that ends after its cancellation',
    () => when(scenarioTo.trialing(), cancelAtPeriodEnd, advanceTo('2027-03-15')),
    ['canceled', 'subscription.cancel_scheduled', 'subscription.trial_ended', CANCELED],
  ],
  [
    'a trial that ends without a payment method',
    () => when(scenarioTo.trialing(), penniless, advanceTo('2027-03-15')),
    ['expired', 'subscription.trial_ended', 'subscription.expired'],
  ],
  [
    'a period that ends',
    () => when(scenarioTo.active(), advanceTo('2027-04-01')),
    ['active', 'subscription.renewed'],
  ],
  [
    'a period that ends after its cancellation',
    () => when(scenarioTo.active(), cancelAtPeriodEnd, advanceTo('2027-04-01')),
    ['canceled', 'subscription.cancel_scheduled', CANCELED],
  ],
  ...(['trialing', 'active', 'past_due'] as const).map(
    (status) =>
      [
        `a cancellation that is scheduled and removed while ${status}`,
        () => when(scenarioTo[status](), cancelAtPeriodEnd, removeScheduledCancellation),
        [
          status,
          ...(status === 'past_due' ? [PAST_DUE] : []),
          'subscription.cancel_scheduled',
          'subscription.cancellation_removed',
        ],
      ] as [string, () => Scenario, [Status, ...string[]]],
  ),
  [
    'a scheduled cancellation that is removed while paused',
    () => when(scenarioTo.active(), cancelAtPeriodEnd, pause, removeScheduledCancellation),
    [
      'paused',
      'subscription.cancel_scheduled',
      'subscription.paused',
      'subscription.cancellation_removed',
    ],
  ],
  [
    'a scheduled cancellation that was paused',
    () => when(scenarioTo.active(), cancelAtPeriodEnd, pause, resume, advanceTo('2027-04-01')),
    [
      'canceled',
      'subscription.cancel_scheduled',
      'subscription.paused',
      'subscription.resumed',
      CANCELED,
    ],
  ],
  [
    'a scheduled cancellation that is removed too late',
    () => {
      const ended = when(scenarioTo.active(), cancelAtPeriodEnd, advanceTo('2027-04-01'))
      return when(ended, removeScheduledCancellation)
    },
    ['canceled', 'subscription.cancel_scheduled', CANCELED],
  ],
  [
    'a renewal that cannot be paid',
    () => when(scenarioTo.active(), declined, advanceTo('2027-04-01')),
    ['past_due', 'subscription.renewed', 'subscription.past_due'],
  ],
  [
    'a period that ends while past due',
    () => when(slowlyRetried(), advanceTo('2027-04-01')),
    ['past_due', PAST_DUE, 'subscription.renewed'],
  ],
  [
    'a period that ends while past due, after its cancellation',
    () => when(slowlyRetried(), cancelAtPeriodEnd, advanceTo('2027-04-01')),
    ['canceled', PAST_DUE, 'subscription.cancel_scheduled', CANCELED],
  ],
  [
    'a retry that succeeds',
    () => when(scenarioTo.past_due(), paymentsAlways('succeed'), advanceTo('2027-03-02')),
    ['active', PAST_DUE, 'subscription.recovered'],
  ],
  [
    'the last retry',
    () => when(scenarioTo.past_due(), advanceTo('2027-03-08')),
    ['canceled', PAST_DUE, CANCELED],
  ],
  [
    'the last retry where the setting says keep_past_due',
    () => {
      const keep = setting({ afterRetries: 'keep_past_due' })
      return when(scenarioTo.past_due(), keep, advanceTo('2027-03-08'))
    },
    ['past_due', PAST_DUE],
  ],
  [
    'years while paused',
    () => when(scenarioTo.paused(), advanceTo('2030-01-01')),
    ['paused', 'subscription.paused'],
  ],
]

function slowlyRetried(): Scenario {
  return given(NOW, plans, setting({ retrySchedule: ['P60D'] }), declined, subscribe('basic'))
}

/** The events about the subscription itself since it was created. */
export function movesIn(scenario: Scenario): string[] {
  return scenario.facts
    .map(({ type }) => type)
    .filter((type) => /^subscription\.(?!created)/.test(type))
}

export const pairs = Status.options.flatMap((status) =>
  ([...Object.keys(commands), 'pay_invoice'] as Asked[]).map((asked) => {
    const outcome = expected[status][asked]
    return { status, asked, outcome }
  }),
)

/** Whether a command in a status leads where it should. */
function leads(status: Status, asked: Asked): boolean {
  const before = scenarioTo[status]()
  const scenario = when(before, ask(commandIn(before, asked)))
  return (scenario.refusal?.refused ?? statusIn(scenario)) === expected[status][asked]
}

/** Whether every status behaves as it must; where something throws, it does not. */
export function behavesAsItMust(): boolean {
  try {
    return (
      pairs.every(({ status, asked }) => leads(status, asked)) &&
      onItsOwn.every(([, scenario, [status, ...moves]]) => {
        const told = scenario()
        return statusIn(told) === status && movesIn(told).join() === moves.join()
      })
    )
  } catch {
    return false
  }
}
