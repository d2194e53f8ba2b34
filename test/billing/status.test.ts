import { describe, expect, it } from 'vitest'
import { initialSettings } from '../../src/assumptions/register.ts'
import { decide } from '../../src/billing/decide.ts'
import { isRefusal } from '../../src/billing/refusal.ts'
import { isTerminal, Status } from '../../src/billing/status.ts'
import { beginStep, moveByCommand, moveTo } from '../../src/billing/step.ts'
import { ask, pause, setting } from '../support/actions.ts'
import { trialExtension } from '../support/catalog.ts'
import { frozen } from '../support/frozen.ts'
import { recordsIn, statusIn } from '../support/readings.ts'
import { accountOf, FIRST, when } from '../support/scenario.ts'
import { commandIn, movesIn, onItsOwn, pairs, scenarioTo } from '../support/status-rules.ts'

const no = 'invalid_transition'

describe('every command in every status', () => {
  it.each(Status.options)('2.2: there is a scenario that leads to %s', (status) => {
    expect(statusIn(scenarioTo[status]())).toBe(status)
  })

  it.each(pairs)('6.1: $asked while $status: $outcome', ({ status, asked, outcome }) => {
    const before = scenarioTo[status]()
    const scenario = when(before, ask(commandIn(before, asked)))
    expect(scenario.refusal?.refused ?? statusIn(scenario)).toBe(outcome)
    if (scenario.refusal !== null) expect(recordsIn(scenario)).toEqual(recordsIn(before))
  })

  it.each(pairs)(
    '9.7: $asked while $status leaves the account it was given untouched',
    ({ status, asked }) => {
      const scenario = scenarioTo[status]()
      const account = frozen(accountOf(scenario, FIRST))
      const copy = structuredClone(account)
      decide(account, commandIn(scenario, asked), scenario)
      expect(account).toEqual(copy)
    },
  )

  it.each(pairs.filter(({ outcome }) => outcome === no || outcome.startsWith('coupon')))(
    '9.1: the refusal of $asked while $status names the subscription or invoice, and the rule',
    ({ status, asked }) => {
      const scenario = scenarioTo[status]()
      const answer = decide(accountOf(scenario, FIRST), commandIn(scenario, asked), scenario)
      const message = isRefusal(answer) ? answer.message : ''
      expect(message).toMatch(/sub_000001|inv_000001/)
      expect(message).toMatch(/must (?:be|have)|applies to one that has not ended/)
    },
  )

  it('2.2: a refusal calls the paused status by the name that was set', () => {
    const renamed = when(scenarioTo.paused(), setting({ pausedStatusName: 'on_hold' }))
    const extension = { kind: 'apply_coupon', coupon: trialExtension('MORE', 7) } as const
    for (const refused of [when(renamed, pause), when(renamed, ask(extension))]) {
      expect(refused.refusal?.message).toContain('got on_hold')
    }
  })
})

describe('the statuses', () => {
  it('2.3: canceled and expired are terminal, and no others', () => {
    expect(Status.options.filter(isTerminal)).toEqual(['canceled', 'expired'])
  })

  it('10.5: a status change that the table does not list is a defect, and throws', () => {
    const circumstances = { now: scenarioTo.active().now, settings: initialSettings }
    const step = beginStep(accountOf(scenarioTo.active(), FIRST), circumstances)
    expect(() => moveTo(step, 'trial_end', 'expired')).toThrow('trial_end cannot move active')
    expect(() => moveTo(step, 'pause', 'canceled')).toThrow('pause cannot move active to canceled')
    expect(() => moveByCommand(step, 'resume')).toThrow('resume is not allowed while active')
    expect(step.subscription.status).toBe('active')
  })
})

describe('what happens without anybody asking', () => {
  it.each(onItsOwn)('6.1: %s', (_, scenario, [status, ...moves]) => {
    const told = scenario()
    expect(statusIn(told)).toBe(status)
    expect(movesIn(told)).toEqual(moves)
  })
})
