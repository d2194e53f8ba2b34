/** `npm run crash -- --rounds 500`: kills a real sandbox at random moments under load, and checks what it kept. */
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { seeded } from '../test/support/chance.ts'
import { crashRounds, printTally } from '../test/support/crash.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '100' },
    seed: { type: 'string' },
    lanes: { type: 'string', default: String(Math.min(availableParallelism(), 4)) },
  },
})
const [rounds, lanes] = [Number(values.rounds), Number(values.lanes)]
if (values.seed !== undefined) process.env['SEED'] = values.seed
const startedAt = performance.now()
const onRound = (done: number) => {
  if (done % 25 === 0) console.log(`${done} of ${rounds} rounds after ${seconds()} s`)
}
const line = await seeded(async (seed) => {
  const tally = await crashRounds({ rounds, seed, lanes, onRound })
  return `${rounds} kills in ${seconds()} s with seed ${seed}: ${printTally(tally)}.`
})
console.log(line)

function seconds(): string {
  return ((performance.now() - startedAt) / 1000).toFixed(0)
}
