/**
 * A process that serves the sandboxes of the examples, filled to their bounds, and answers its parent what the meter of
 * holds has. Owns how the sandboxes are filled.
 */
import { openSync, readSync } from 'node:fs'
import { CHECKPOINT, exampleSandboxes } from '../../src/openapi/examples/call.ts'
import type { Registry } from '../../src/sandbox/registry.ts'
import { Sandbox } from '../../src/sandbox/sandbox.ts'
import { start } from '../../src/server/start.ts'
import { orThrow } from '../../src/surface/refusals.ts'
import { documentNames } from '../../src/world/collections.ts'
import { type Hold, holdMeter } from '../../src/world/hold-meter.ts'
import { fill } from './full-world.ts'

/** What the parent asks for: the holds since it asked last, a sandbox full again, or the last id of a list. */
export type Question =
  | { readonly ask: 'holds' }
  | { readonly ask: 'refill'; readonly sandbox: string }
  | { readonly ask: 'last'; readonly first: string }

/** What it is answered; the first answer is that the process is ready. */
export interface Told {
  readonly url?: string
  readonly holds?: readonly Hold[]
  readonly last?: string | null
}

const { main, fork } = exampleSandboxes
const schedule = openSync('/proc/thread-self/schedstat', 'r')
const bytes = Buffer.alloc(64)
const [folder = ''] = process.argv.slice(2)

const { url, registry, answer } = await start({
  host: '127.0.0.1',
  allowedHosts: [],
  port: 0,
  folder,
  durability: 'commit',
  lock: 'kernel',
  fixture: null,
  clockStart: null,
  running: false,
  examples: true,
  log: console.warn,
})
const filled = await sandboxOf(registry, main)
const requestId = () => 'req_000001'
const world = await fill(await filled.read((present) => present))
orThrow(await filled.replace(() => world, { as: 'restored', requestId, answer: () => null }))
await refill(fork, false)
await fillLog()
holdMeter.start(() => undefined, { now: threadMs, cpu: threadMs })
process.on('message', async (question: Question) => process.send?.(await told(question)))
process.send?.({ url } satisfies Told)

async function told(question: Question): Promise<Told> {
  if (question.ask === 'refill') {
    await refill(question.sandbox, true)
    return {}
  }
  if (question.ask === 'last') return { last: lastBeside(question.first) }
  const holds = holdMeter.longest ?? []
  holdMeter.stop()
  holdMeter.start(() => undefined, { now: threadMs, cpu: threadMs })
  return { holds }
}

/** Makes a sandbox anew as a fork of the full one; the first one is stored, and the others are made at once. */
async function refill(sandboxId: string, isVolatile: boolean): Promise<void> {
  if (registry.ids.includes(sandboxId)) orThrow(await registry.remove(sandboxId))
  const order = { fixture: null, now: null, settings: {}, startsRunning: false, isVolatile }
  orThrow(await registry.create({ ...order, sandboxId, from: { sandbox: main } }))
  const headers = { 'Sandbox-Id': sandboxId, 'Content-Type': 'application/json' }
  const body = JSON.stringify({ name: CHECKPOINT })
  await answer(new Request(`${url}/sandbox/checkpoints`, { method: 'POST', headers, body }))
}

async function sandboxOf({ find }: Registry, sandboxId: string): Promise<Sandbox> {
  const found = await find.call(registry, sandboxId)
  if (found instanceof Sandbox) return found
  throw new Error(`There is no sandbox ${sandboxId}`)
}

/** How long this thread has run, in milliseconds: a machine with other things to do does not count. Linux alone says so. */
function threadMs(): number {
  const length = readSync(schedule, bytes, 0, bytes.length, 0)
  return Number(bytes.toString('latin1', 0, length).split(' ', 1)[0]) / 1e6
}

/** The id before the last of the list that begins with an id; null for one that is no collection. */
function lastBeside(first: string): string | null {
  const name = documentNames.find((each) => world[each].has(first))
  return name === undefined ? null : ([...world[name].keys()].at(-2) ?? null)
}

/** As many requests as a log keeps, and more. */
async function fillLog(): Promise<void> {
  const headers = { Authorization: `Bearer ${filled.apiKey}` }
  for (let sent = 0; sent < 3000; sent += 1) {
    const request = new Request(`${url}/v1/subscriptions/sub_none/pause`, {
      method: 'POST',
      headers,
    })
    await (await answer(request)).text()
  }
}
