/** What an idle sandbox holds in memory, against its own state document as `JSON.parse` makes it. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { initialSettings } from '../src/assumptions/register.ts'
import { isRefusal } from '../src/billing/refusal.ts'
import { loadFixtures } from '../src/sandbox/fixtures.ts'
import { Registry } from '../src/sandbox/registry.ts'
import { realTime } from '../src/sandbox/running-clock.ts'
import { memoryStore } from '../src/store/memory-store.ts'
import { documentOf } from '../test/support/document.ts'
import { type Figure, print } from './support/figures.ts'

const SANDBOXES = 1000

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

function heldKiB(): number {
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / 1024
}

const origin = {
  fixture: 'starter',
  now: null,
  startsRunning: false,
  settings: initialSettings,
  from: null,
}
const parts = {
  store: memoryStore(),
  fixtures: await loadFixtures(),
  sandboxesMax: 1 + SANDBOXES,
  time: realTime,
  report: console.error,
}
const registry = await Registry.open(parts, origin)
if (isRefusal(registry)) throw new Error(registry.message)
const text = JSON.stringify(await registry.default.read(documentOf))
const documents: unknown[] = []
const before = heldKiB()
for (let made = 0; made < SANDBOXES; made += 1) documents.push(JSON.parse(text))
const withDocuments = heldKiB()
for (let made = 0; made < SANDBOXES; made += 1) {
  if (isRefusal(await registry.create({ ...origin, sandboxId: `idle-${made}` }))) {
    throw new Error('A sandbox was refused')
  }
}
const sandboxKiB = (heldKiB() - withDocuments) / SANDBOXES
// Asked last, so that both are still held when the memory is counted.
const documentKiB = (withDocuments - before) / documents.length
if (registry.ids.length !== 1 + SANDBOXES) throw new Error('A sandbox is missing')
const figure: Figure = {
  measure: `memory of each of ${SANDBOXES} idle sandboxes`,
  against: 'its state document, parsed',
  ratio: sandboxKiB / documentKiB,
  target: null,
  behind: `${sandboxKiB.toFixed(1)} KiB, ${documentKiB.toFixed(1)} KiB`,
}
print([figure])
