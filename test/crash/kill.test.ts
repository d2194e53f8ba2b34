import { expect, it } from 'vitest'
import { seeded } from '../support/chance.ts'
import { crashRounds } from '../support/crash.ts'

/** A folder of each kind; `npm run crash` does as many as it is asked for. */
const ROUNDS = 11

it('loses nothing that it answered when it is killed at random moments under load', async () => {
  const tally = await seeded((seed) => crashRounds({ rounds: ROUNDS, seed, lanes: 1 }))
  expect(tally.acknowledged).toBeGreaterThan(ROUNDS)
}, 300_000)
