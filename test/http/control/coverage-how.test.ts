/** Coverage says how: the commands of every hint are run, and show what they are for. */
import { describe, expect, it } from 'vitest'
import hints from '../../../src/generated/coverage-hints.json' with { type: 'json' }
import { covered } from '../../support/consumers.ts'
import { openShop } from '../../support/control.ts'
import { allUnits, reachedBy } from '../../support/coverage-hints.ts'

/** What a sandbox shows only when it is full: no commands are for that. */
const ofFullSandbox = [
  'statuses refreshToken 409',
  'error_codes sandbox_full',
  'assumptions record-limit',
]

/** The units of each list of commands. */
const unitsByCommands = Object.entries(hints).reduce((units, [unit, commands]) => {
  const key = commands.join('\n')
  return units.set(key, [...(units.get(key) ?? []), unit])
}, new Map<string, string[]>())

describe('the hints of coverage', () => {
  it('are there for everything that a sandbox shows before it is full', () => {
    expect([...Object.keys(hints), ...ofFullSandbox].sort()).toEqual([...allUnits].sort())
  })

  it('show what they are for, each from a new sandbox', async () => {
    for (const [commands, units] of unitsByCommands) {
      const reached = await reachedBy(commands.split('\n'))
      expect([...reached.flatMap((each) => [...each])], commands).toEqual(
        expect.arrayContaining(units),
      )
    }
  })
})

describe('the coverage', () => {
  const pauseHint = {
    measure: 'transitions',
    unit: 'active pause paused',
    commands: [
      expect.stringMatching(/^curl -s \$SANDBOX_URL\/v1\/subscriptions /),
      'subscription-sandbox subscriptions pause sub_000001',
    ],
  }

  it('has commands for what was not seen, and for nothing else, where it is asked how', async () => {
    const shop = await openShop()
    expect((await covered(shop)).how).toEqual([])
    const before = await covered(shop, '?how=true')
    expect(before.how).toContainEqual(pauseHint)
    await shop.post('/sandbox/subscriptions', { customer_id: 'cus_ada', plan: 'pro' })
    const key = { Authorization: 'Bearer sk_sandbox_default' }
    await shop.call('POST', '/v1/subscriptions/sub_000001/pause', { headers: key })
    const after = await covered(shop, '?how=true')
    expect(after.how).not.toContainEqual(pauseHint)
    expect(after.how.length).toBeGreaterThan(100)
  })

  it('has them in its text', async () => {
    const shop = await openShop()
    const text = await (await shop.app.request('/sandbox/coverage?format=text&how=true')).text()
    expect(text).toMatch(
      /How to see it, .*\n\n.*transitions: active pause paused\n {4}curl .*\n {4}subscription-sandbox subscriptions pause sub_000001\n/s,
    )
  })
})
