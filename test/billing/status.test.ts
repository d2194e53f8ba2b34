import { describe, expect, it } from 'vitest'
import { initialSettings } from '../../src/assumptions/register.ts'
import { type Command, decide } from '../../src/billing/decide.ts'
import { isRefusal } from '../../src/billing/refusal.ts'
import { isTerminal, Status, transition } from '../../src/billing/status.ts'
import { beginStep, moveTo } from '../../src/billing/step.ts'
import { percentage, plan, trialExtension } from '../support/catalog.ts'
import {
  ask,
  cancelAtPeriodEnd,
  cancelNow,
  customerHas,
  pause,
  paymentsAlways,
  selling,
  setting,
  subscribe,
} from '../support/deeds.ts'
import { frozen } from '../support/frozen.ts'
import { recordsIn, statusIn } from '../support/readings.ts'
import { accountOf, advanceTo, FIRST, given, type Story, when } from '../support/story.ts'

const NOW = '2027-03-01T00:00:00Z'
const pro = plan('pro', 2000)
const cheap = plan('cheap', 400)
const plans = selling(plan('basic', 1000), pro, cheap)
const declined = paymentsAlways('card_declined')
const trial = subscribe('basic', { trialPeriodDays: 14 })
const penniless = customerHas({ paymentMethod: 'none' })

/** A subscription in every status there is, reached as a customer would reach it. */
const inStatus: Record<Status, Story> = {
  trialing: given(NOW, plans, trial),
  active: given(NOW, plans, subscribe('basic')),
  past_due: given(NOW, plans, declined, subscribe('basic')),
  paused: given(NOW, plans, subscribe('basic'), pause),
  canceled: given(NOW, plans, subscribe('basic'), cancelNow),
  expired: given(NOW, plans, trial, penniless, advanceTo('2027-03-15')),
}

const commands = {
  upgrade: { kind: 'change_plan', plan: pro },
  downgrade: { kind: 'change_plan', plan: cheap },
  pause: { kind: 'pause' },
  resume: { kind: 'resume' },
  cancel_now: { kind: 'cancel_now' },
  cancel_at_period_end: { kind: 'cancel_at_period_end' },
  discount: { kind: 'apply_coupon', coupon: percentage('SAVE20', 20) },
  trial_extension: { kind: 'apply_coupon', coupon: trialExtension('MORETIME', 14) },
  pay_invoice: { kind: 'pay_invoice', invoiceId: 'inv_000001' },
} as const satisfies Record<string, Command>
type Asked = keyof typeof commands

const no = 'invalid_transition'
const ended: Record<Asked, string> = {
  upgrade: no,
  downgrade: no,
  pause: no,
  resume: no,
  cancel_now: no,
  cancel_at_period_end: no,
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
    discount: 'paused',
    trial_extension: 'coupon_not_applicable',
    pay_invoice: no,
  },
  canceled: ended,
  expired: ended,
}

const pairs = Status.options.flatMap((status) =>
  (Object.keys(commands) as Asked[]).map((asked) => {
    const outcome = expected[status][asked]
    return { status, asked, outcome }
  }),
)

describe('every command in every status', () => {
  it.each(Status.options)('3: there is a story that leads to %s', (status) => {
    expect(statusIn(inStatus[status])).toBe(status)
  })

  it.each(pairs)('6: $asked while $status: $outcome', ({ status, asked, outcome }) => {
    const before = inStatus[status]
    const story = when(before, ask(commands[asked]))
    expect(story.refusal?.refused ?? statusIn(story)).toBe(outcome)
    if (story.refusal !== null) expect(recordsIn(story)).toEqual(recordsIn(before))
  })

  it.each(pairs)(
    '10: $asked while $status leaves the account it was given untouched',
    ({ status, asked }) => {
      const story = inStatus[status]
      const account = frozen(accountOf(story, FIRST))
      const copy = structuredClone(account)
      decide(account, commands[asked], story)
      expect(account).toEqual(copy)
    },
  )

  it.each(pairs.filter(({ outcome }) => outcome === no || outcome.startsWith('coupon')))(
    '9: the refusal of $asked while $status names the subscription or invoice, and the rule',
    ({ status, asked }) => {
      const story = inStatus[status]
      const answer = decide(accountOf(story, FIRST), commands[asked], story)
      const message = isRefusal(answer) ? answer.message : ''
      expect(message).toMatch(/sub_000001|inv_000001/)
      expect(message).toMatch(/must be|applies to one that has not ended/)
    },
  )

  it('2: a refusal calls the paused status by the name that was set', () => {
    const story = when(inStatus.paused, setting({ pausedStatusName: 'on_hold' }), pause)
    expect(story.refusal?.message).toContain('got on_hold')
  })

  it('6: pausing is refused where it is set to cancel at period end, though it is active', () => {
    const story = when(inStatus.active, cancelAtPeriodEnd, pause)
    expect(story.refusal?.refused).toBe(no)
  })
})

describe('the statuses', () => {
  it('2: canceled and expired are terminal, and no others', () => {
    expect(Status.options.filter(isTerminal)).toEqual(['canceled', 'expired'])
  })

  it('2: nothing leads out of a terminal status', () => {
    for (const status of ['canceled', 'expired'] as const) {
      for (const trigger of ['change_plan', 'resume', 'trial_end', 'period_end'] as const) {
        expect(Array.isArray(transition(status, trigger))).toBe(false)
      }
    }
  })

  it('10: a status change that the table does not list is a defect, and throws', () => {
    const circumstances = { now: inStatus.active.now, settings: initialSettings }
    const step = beginStep(accountOf(inStatus.active, FIRST), circumstances)
    expect(() => moveTo(step, 'trial_end', 'expired')).toThrow('trial_end cannot move active')
    expect(() => moveTo(step, 'pause', 'canceled')).toThrow('pause cannot move active to canceled')
    expect(step.subscription.status).toBe('active')
  })
})
