/** `npm run crash -- --rounds 500`: kills a real sandbox at random moments under load, and checks what it kept. */
import { parseArgs } from 'node:util'
import { crashRounds } from '../test/support/crash.ts'
import { temporaryFolder } from '../test/support/process.ts'

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '100' } } })
const rounds = Number(values.rounds)
const folder = await temporaryFolder()
const acknowledged = await crashRounds({
  folder: folder.path,
  rounds,
  clients: 4,
  random: Math.random,
  onRound: (round) => {
    if (round % 25 === 0) console.log(`${round} of ${rounds} rounds`)
  },
})
await folder.remove()
console.log(`${rounds} kills, ${acknowledged} acknowledged changes, none lost.`)
