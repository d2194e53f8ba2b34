/** `npm run crash -- --rounds 500`: kills a real sandbox at random moments under load, and checks what it kept. */
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { crashRounds, printTally } from '../test/support/crash.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '100' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 30) },
    lanes: { type: 'string', default: String(Math.min(availableParallelism(), 4)) },
  },
})
const [rounds, seed, lanes] = [values.rounds, values.seed, values.lanes].map(Number)
const startedAt = performance.now()
const onRound = (done: number) => {
  if (done % 25 === 0) console.log(`${done} of ${rounds} rounds after ${seconds()} s`)
}
const options = { rounds: rounds ?? 0, seed: seed ?? 0, lanes: lanes ?? 1, onRound }
const tally = await crashRounds(options).catch((error: Error) => {
  throw new Error(`with seed ${seed}: ${error.message}`)
})
console.log(`${rounds} kills in ${seconds()} s with seed ${seed}: ${printTally(tally)}.`)

function seconds(): string {
  return ((performance.now() - startedAt) / 1000).toFixed(0)
}
