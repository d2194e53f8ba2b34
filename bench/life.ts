/**
 * The life of one test, by `fetch` as tests call it: makes a sandbox, creates a subscription, applies a coupon, advances a
 * year, reads the subscription and deletes the sandbox; against as many JSON echoes of a bare Hono server.
 */
import { join } from 'node:path'
import { type Figure, median, print } from './support/figures.ts'
import { inFolder, type Served, serveBare, serveSandbox } from './support/processes.ts'

const WARM_UP_LIVES = 100
const LIVES = 400

const order = { customer_id: 'cus_ada', plan: 'basic' }

interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly body?: object
}

/** The calls of one test, in a sandbox of its own. */
const life: readonly Call[] = [
  { method: 'PUT', path: '/sandboxes/life', body: {} },
  { method: 'POST', path: '/v1/subscriptions', body: order },
  {
    method: 'POST',
    path: '/v1/subscriptions/sub_000001/apply-coupon',
    body: { coupon_id: 'SAVE20' },
  },
  { method: 'POST', path: '/sandbox/clock/advance', body: { by: 'P1Y' } },
  { method: 'GET', path: '/sandbox/subscriptions/sub_000001' },
  { method: 'DELETE', path: '/sandboxes/life' },
]
const echoes = life.map((): Call => ({ method: 'POST', path: '/echo', body: order }))

/** How many milliseconds calls take, one after another. */
async function timed(served: Served, calls: readonly Call[]): Promise<number> {
  const startedAt = performance.now()
  for (const { method, path, body } of calls) {
    const answer = await fetch(`${served.url}${path}`, {
      method,
      headers: {
        Authorization: 'Bearer sk_sandbox_life',
        'Sandbox-Id': 'life',
        'Content-Type': 'application/json',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`)
  }
  return performance.now() - startedAt
}

async function measure(folder: string): Promise<Figure[]> {
  const [bare, memory, durable] = await Promise.all([
    serveBare(),
    serveSandbox('memory'),
    serveSandbox(join(folder, 'durable')),
  ])
  const took: { bare: number[]; memory: number[]; durable: number[] } = {
    bare: [],
    memory: [],
    durable: [],
  }
  for (let round = 0; round < WARM_UP_LIVES + LIVES; round += 1) {
    const [echoed, inMemory, onDisk] = [
      await timed(bare, echoes),
      await timed(memory, life),
      await timed(durable, life),
    ]
    if (round < WARM_UP_LIVES) continue
    took.bare.push(echoed)
    took.memory.push(inMemory)
    took.durable.push(onDisk)
  }
  await Promise.all([bare.stop(), memory.stop(), durable.stop()])
  const figure = (kind: 'memory' | 'durable', atMost: number): Figure => ({
    measure: `the life of one test, ${kind === 'memory' ? 'in memory' : kind}`,
    against: `${echoes.length} JSON echoes of a bare Hono server`,
    ratio: median(took[kind]) / median(took.bare),
    target: { atMost },
    behind: `${median(took[kind]).toFixed(2)} ms, ${median(took.bare).toFixed(2)} ms`,
  })
  return [figure('memory', 1.5), figure('durable', 3)]
}

print(await inFolder(measure))
