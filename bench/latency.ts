/** Holding up others: the worst answer of /health/live while one call after another does the longest work there is. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { type Figure, median, print } from './support/figures.ts'
import { inFolder, type Served, serveSandbox } from './support/processes.ts'
import { keep, subscribed } from './support/worlds.ts'

const SUBSCRIPTIONS = 20_000
/** Each is a process of its own, and the worst of all counts: one alone is sometimes lucky. */
const ROUNDS = 3
/** What no call may hold others up for. */
const PROMISE_MS = 50
/** How long the process is left alone between two calls. */
const SETTLING_MS = 500
const PIPELINED = 2000
const INTERACTIONS = 20_000
const UNKNOWN_FIELDS = 1_500_000

/** A long call: what it is, and how it is made; it answers what is said of it. */
type Call = readonly [name: string, make: () => Promise<string>]

async function send(served: Served, path: string, init: RequestInit = {}): Promise<Response> {
  const answer = await fetch(`${served.url}${path}`, init)
  if (answer.status >= 500) throw new Error(`${path} answered ${answer.status}`)
  return answer
}

/** Asks, and reads the answer to its end without keeping it. */
async function get(served: Served, path: string, method = 'GET'): Promise<string> {
  return drain(await send(served, path, { method }))
}

async function give(served: Served, path: string, given: Given): Promise<string> {
  const headers = { 'Content-Type': 'application/json' }
  return drain(
    await send(served, path, { method: given.method ?? 'POST', headers, body: given.body }),
  )
}

interface Given {
  readonly method?: string
  readonly body: string | ArrayBuffer
}

async function drain(answer: Response): Promise<string> {
  let bytes = 0
  for await (const chunk of answer.body ?? []) bytes += chunk.length
  return `${answer.status}, ${(bytes / 1e6).toFixed(0)} MB`
}

/** Calls that work on the whole of a sandbox. */
function callsOnAll(served: Served): readonly Call[] {
  const advance = '/sandbox/clock/advance'
  const until = 'until=2031-01-01T00:00:00.000Z'
  let state: ArrayBuffer = new ArrayBuffer(0)
  const exported = async () => {
    state = await (await send(served, '/sandbox/state')).arrayBuffer()
    return `${(state.byteLength / 1e6).toFixed(0)} MB`
  }
  const fork = JSON.stringify({ from: { sandbox: 'default' } })
  return [
    ['make the first call of the control plane', () => get(served, '/sandbox')],
    ['advance by a year', () => give(served, advance, { body: '{"by":"P1Y"}' })],
    [
      'create a checkpoint',
      () => give(served, '/sandbox/checkpoints', { body: '{"name":"then"}' }),
    ],
    ['export the state', exported],
    ['import the state', () => give(served, '/sandbox/state', { method: 'PUT', body: state })],
    ['return to it', () => get(served, '/sandbox/checkpoints/then/restore', 'POST')],
    ['fork the sandbox', () => give(served, '/sandboxes/copy', { method: 'PUT', body: fork })],
    ['delete the fork', () => get(served, '/sandboxes/copy', 'DELETE')],
    ['audit', () => get(served, '/sandbox/audit')],
    [
      'forecast three years',
      () => get(served, `/sandbox/subscriptions/sub_000001/forecast?${until}`),
    ],
    ['look at the agenda', () => get(served, '/sandbox/agenda?before=2029-06-01T00:00:00.000Z')],
    ['dry run of a year', () => give(served, advance, { body: '{"by":"P1Y","dry_run":true}' })],
    ['list a page of invoices', () => get(served, '/sandbox/invoices?limit=1000')],
  ]
}

/** Calls that send much. */
function floodsOn(served: Served, pact: string): readonly Call[] {
  const fields = Array.from({ length: UNKNOWN_FIELDS }, (_, n) => `"f${n}":1`)
  const unknown = { method: 'PUT', body: `{${fields.join()}}` }
  return [
    ['import 1.5 million unknown fields', () => give(served, '/sandbox/state', unknown)],
    [
      `check a pact of ${INTERACTIONS} interactions`,
      () => give(served, '/sandbox/contracts/check', { body: pact }),
    ],
    [`${PIPELINED} requests on one connection`, () => pipeline(served)],
    ['reset', () => give(served, '/sandbox/reset', { body: '{}' })],
  ]
}

/** Sends many requests before it reads the first answer. */
async function pipeline({ url }: Served): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  const request = `GET /sandbox/invoices?limit=100 HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`
  socket.write(request.repeat(PIPELINED - 1))
  socket.write(request.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'))
  let answers = 0
  socket.on('data', (chunk) => {
    answers += chunk.toString('latin1').split('HTTP/1.1 200').length - 1
  })
  await once(socket, 'close')
  return `about ${answers} answers`
}

/** Many small interactions: a pact may have 16 MiB. */
function bigPact(): string {
  const interactions = Array.from({ length: INTERACTIONS }, (_, n) => ({
    description: `creating ${n}`,
    request: {
      method: 'POST',
      path: '/v1/subscriptions',
      headers: { Authorization: 'Bearer key', 'Content-Type': 'application/json' },
      body: { customer_id: `cus_${n}`, plan: 'basic' },
    },
    response: { status: 200, body: { customer_id: `cus_${n}`, no_such_field: 1 } },
  }))
  const metadata = { pactSpecification: { version: '3.0.0' } }
  return JSON.stringify({
    consumer: { name: 'bench' },
    provider: { name: 'subscription-service' },
    interactions,
    metadata,
  })
}

/** What one call did to others in one process. */
interface Held {
  readonly name: string
  readonly worstMs: number
  readonly tookMs: number
  readonly answer: string
}

async function holding(served: Served): Promise<Held[]> {
  const poller = new Worker(new URL('support/health-poller.mjs', import.meta.url), {
    workerData: served.url,
  })
  const worst = async (): Promise<number> => {
    poller.postMessage(null)
    const [ms] = await once(poller, 'message')
    return ms
  }
  const held: Held[] = []
  for (const [name, make] of [...callsOnAll(served), ...floodsOn(served, bigPact())]) {
    await pause(SETTLING_MS)
    await worst()
    const startedAt = performance.now()
    const answer = await make()
    const tookMs = performance.now() - startedAt
    held.push({ name, answer, tookMs, worstMs: await worst() })
  }
  await poller.terminate()
  return held
}

function figureOf(name: string, rounds: readonly Held[]): Figure {
  const worstMs = Math.max(...rounds.map((held) => held.worstMs))
  const tookMs = median(rounds.map((held) => held.tookMs))
  const answers = [...new Set(rounds.map((held) => held.answer))].join(', ')
  const each = rounds.map((held) => held.worstMs.toFixed(0)).join(', ')
  return {
    measure: `the worst answer of /health/live in ${ROUNDS} processes: ${name}`,
    against: `the ${PROMISE_MS} ms that no call may hold others up`,
    ratio: worstMs / PROMISE_MS,
    target: { atMost: 1 },
    behind: `${worstMs.toFixed(0)} ms (${each}) of ${tookMs.toFixed(0)} ms; ${answers}`,
  }
}

const held: Held[] = []
for (let round = 0; round < ROUNDS; round += 1) {
  const found = await inFolder(async (folder) => {
    await keep(subscribed(SUBSCRIPTIONS), folder)
    const served = await serveSandbox(folder)
    try {
      return await holding(served)
    } finally {
      await served.stop()
    }
  })
  held.push(...found)
}
const names = new Set(held.map(({ name }) => name))
print(
  [...names].map((name) =>
    figureOf(
      name,
      held.filter((each) => each.name === name),
    ),
  ),
)
