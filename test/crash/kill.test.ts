import fc from 'fast-check'
import { expect, it } from 'vitest'
import { crashRounds } from '../support/crash.ts'

const ROUNDS = 100

it('loses nothing that it answered when it is killed at random moments under load', async () => {
  const seed = Date.now() % 2 ** 31
  const [moments] = fc.sample(
    fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: ROUNDS, maxLength: ROUNDS }),
    { numRuns: 1, seed },
  )
  const left = [...(moments ?? [])]
  const options = { rounds: ROUNDS, clients: 4, lanes: 1 }
  const tally = await crashRounds({ ...options, random: () => left.pop() ?? 0.5 }).catch(
    (error: Error) => {
      throw new Error(`with seed ${seed}: ${error.message}`)
    },
  )
  expect(tally.acknowledged).toBeGreaterThan(ROUNDS)
}, 600_000)
