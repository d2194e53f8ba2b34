import fc from 'fast-check'
import { expect, it } from 'vitest'
import { crashRounds } from '../support/crash.ts'
import { temporaryFolder } from '../support/process.ts'

const ROUNDS = 100

it('loses nothing that it answered when it is killed at random moments under load', async () => {
  const folder = await temporaryFolder()
  const seed = Date.now() % 2 ** 31
  const [moments] = fc.sample(
    fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: ROUNDS, maxLength: ROUNDS }),
    { numRuns: 1, seed },
  )
  const left = [...(moments ?? [])]
  const options = { folder: folder.path, rounds: ROUNDS, clients: 4 }
  const acknowledged = await crashRounds({ ...options, random: () => left.pop() ?? 0.5 }).catch(
    (error: Error) => {
      throw new Error(`with seed ${seed}: ${error.message}`)
    },
  )
  expect(acknowledged).toBeGreaterThan(10 * ROUNDS)
  await folder.remove()
}, 600_000)
