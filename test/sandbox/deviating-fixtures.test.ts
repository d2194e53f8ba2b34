import { expect, it } from 'vitest'
import { deviatingFixtures } from '../../src/sandbox/deviating-fixtures.ts'
import { Fixture } from '../../src/sandbox/fixture-format.ts'

const own = new Map([
  ['plain', Fixture.parse({})],
  [
    'decided',
    Fixture.parse({ settings: { after_retries: 'keep_past_due', vary: ['status-names'] } }),
  ],
])

const settingsWith = (vary: 'after-retries' | 'error-envelope') =>
  [...deviatingFixtures(own, { vary }).values()].map(({ settings }) => settings)

it('decides a setting differently where the fixture has not decided it', () => {
  expect(settingsWith('after-retries')).toEqual([
    { after_retries: 'keep_past_due' },
    { after_retries: 'keep_past_due', vary: ['status-names'] },
  ])
  const { decided } = Object.fromEntries(deviatingFixtures(own, { vary: 'retry-schedule' }))
  expect(decided?.settings).toMatchObject({ retry_schedule: ['P2D'], vary: ['status-names'] })
  const cancels = new Map([['no', Fixture.parse({ settings: { retry_schedule: [] } })]])
  const [kept] = deviatingFixtures(cancels, { vary: 'retry-schedule' }).values()
  expect(kept?.settings).toEqual({ retry_schedule: [] })
})

it('varies what has no setting beside what the fixture varies', () => {
  expect(settingsWith('error-envelope')).toEqual([
    { vary: ['error-envelope'] },
    { after_retries: 'keep_past_due', vary: ['status-names', 'error-envelope'] },
  ])
})

it('leaves fixtures as they are without a deviation', () => {
  expect(deviatingFixtures(own)).toEqual(own)
})
