import { expect, it } from 'vitest'
import { crashRounds } from '../support/crash.ts'

const ROUNDS = 25

it('loses nothing that it answered when it is killed at random moments under load', async () => {
  const seed = Date.now() % 2 ** 30
  const tally = await crashRounds({ rounds: ROUNDS, seed, lanes: 1 }).catch((error: Error) => {
    throw new Error(`with seed ${seed}: ${error.message}`)
  })
  expect(tally.acknowledged).toBeGreaterThan(ROUNDS)
}, 300_000)
