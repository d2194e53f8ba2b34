/** Holding up others: the worst answer of /health/live while one call after another does the longest work there is. */
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { Worker } from 'node:worker_threads'
import { type Figure, print } from './support/figures.ts'
import { inFolder, type Served, serveSandbox } from './support/processes.ts'
import { keep, subscribed } from './support/worlds.ts'

const SUBSCRIPTIONS = 20_000
/** What no call may hold others up for. */
const PROMISE_MS = 50
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

function post(served: Served, path: string, body: unknown, method = 'POST'): Promise<Response> {
  const headers = { 'Content-Type': 'application/json' }
  return send(served, path, { method, headers, body: JSON.stringify(body) })
}

/** Reads an answer to its end without keeping it. */
async function drain(answer: Response): Promise<string> {
  let bytes = 0
  for await (const chunk of answer.body ?? []) bytes += chunk.length
  return `${answer.status}, ${(bytes / 1e6).toFixed(0)} MB`
}

function callsOn(served: Served, pact: string): readonly Call[] {
  let state: ArrayBuffer = new ArrayBuffer(0)
  const json = { 'Content-Type': 'application/json' }
  const fields = `{${Array.from({ length: UNKNOWN_FIELDS }, (_, n) => `"f${n}":1`).join()}}`
  return [
    [
      'advance by a year',
      async () => drain(await post(served, '/sandbox/clock/advance', { by: 'P1Y' })),
    ],
    [
      'create a checkpoint',
      async () => drain(await post(served, '/sandbox/checkpoints', { name: 'then' })),
    ],
    [
      'export the state',
      async () => {
        const answer = await send(served, '/sandbox/state')
        state = await answer.arrayBuffer()
        return `${answer.status}, ${(state.byteLength / 1e6).toFixed(0)} MB`
      },
    ],
    [
      'import the state',
      async () =>
        drain(await send(served, '/sandbox/state', { method: 'PUT', headers: json, body: state })),
    ],
    [
      'return to the checkpoint',
      async () => drain(await post(served, '/sandbox/checkpoints/then/restore', undefined)),
    ],
    [
      'fork the sandbox',
      async () =>
        drain(await post(served, '/sandboxes/copy', { from: { sandbox: 'default' } }, 'PUT')),
    ],
    [
      'delete the fork',
      async () => drain(await send(served, '/sandboxes/copy', { method: 'DELETE' })),
    ],
    ['audit', async () => drain(await send(served, '/sandbox/audit'))],
    [
      'forecast ten years',
      async () =>
        drain(
          await send(
            served,
            '/sandbox/subscriptions/sub_000001/forecast?until=2038-01-01T00:00:00.000Z',
          ),
        ),
    ],
    [
      'look at the agenda',
      async () => drain(await send(served, '/sandbox/agenda?before=2029-06-01T00:00:00.000Z')),
    ],
    [
      'advance by a year as a dry run',
      async () => drain(await post(served, '/sandbox/clock/advance', { by: 'P1Y', dry_run: true })),
    ],
    [
      'list a page of invoices',
      async () => drain(await send(served, '/sandbox/invoices?limit=1000')),
    ],
    [
      'import 1.5 million unknown fields',
      async () =>
        drain(await send(served, '/sandbox/state', { method: 'PUT', headers: json, body: fields })),
    ],
    [
      `check a pact of ${INTERACTIONS} interactions`,
      async () =>
        drain(
          await send(served, '/sandbox/contracts/check', {
            method: 'POST',
            headers: json,
            body: pact,
          }),
        ),
    ],
    [`${PIPELINED} requests on one connection`, () => pipeline(served)],
    ['reset', async () => drain(await post(served, '/sandbox/reset', {}))],
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

async function bigPact(): Promise<string> {
  const file = new URL(
    '../contracts/pacts/reference-form-client-subscription-service.json',
    import.meta.url,
  )
  const pact = JSON.parse(await readFile(file, 'utf8')) as {
    interactions: { description: string }[]
  }
  const interactions = Array.from({ length: INTERACTIONS }, (_, n) => {
    const each = pact.interactions[n % pact.interactions.length]
    return { ...each, description: `${each?.description} ${n}` }
  })
  return JSON.stringify({ ...pact, interactions })
}

async function measure(served: Served): Promise<Figure[]> {
  const poller = new Worker(new URL('support/health-poller.mjs', import.meta.url), {
    workerData: served.url,
  })
  const worst = async (): Promise<number> => {
    poller.postMessage(null)
    const [ms] = await once(poller, 'message')
    return ms
  }
  const figures: Figure[] = []
  await new Promise((resolve) => setTimeout(resolve, 1000))
  const idleMs = await worst()
  for (const [name, make] of callsOn(served, await bigPact())) {
    await worst()
    const startedAt = performance.now()
    const answer = await make()
    const tookMs = performance.now() - startedAt
    const worstMs = await worst()
    figures.push({
      measure: `the worst answer of /health/live meanwhile: ${name}`,
      against: `the ${PROMISE_MS} ms that no call may hold others up`,
      ratio: worstMs / PROMISE_MS,
      target: { atMost: 1 },
      behind: `${worstMs.toFixed(0)} ms of ${tookMs.toFixed(0)} ms, idle ${idleMs.toFixed(0)} ms; ${answer}`,
    })
  }
  await poller.terminate()
  return figures
}

const figures = await inFolder(async (folder) => {
  await keep(subscribed(SUBSCRIPTIONS), folder)
  const served = await serveSandbox(folder)
  try {
    return await measure(served)
  } finally {
    await served.stop()
  }
})
print(figures)
