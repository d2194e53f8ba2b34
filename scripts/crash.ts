/** `npm run crash -- --rounds 500`: kills a real sandbox at random moments under load, and checks what it kept. */
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { crashRounds } from '../test/support/crash.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '100' },
    lanes: { type: 'string', default: String(Math.min(availableParallelism(), 4)) },
  },
})
const rounds = Number(values.rounds)
const startedAt = performance.now()
const tally = await crashRounds({
  rounds,
  clients: 4,
  lanes: Number(values.lanes),
  random: Math.random,
  onRound: (done) => {
    if (done % 25 === 0) console.log(`${done} of ${rounds} rounds after ${seconds()} s`)
  },
})
console.log(
  `${rounds} kills in ${seconds()} s, in ${tally.folders} folders: ${tally.folds} journals folded, ` +
    `${tally.halfWritten} kills left a file half written; ${tally.acknowledged} acknowledged changes, none lost.`,
)

function seconds(): string {
  return ((performance.now() - startedAt) / 1000).toFixed(0)
}
