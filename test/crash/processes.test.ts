import { afterEach, beforeEach, expect, it } from 'vitest'
import { serve, temporaryFolder } from '../support/process.ts'

const HEADERS = {
  Authorization: 'Bearer sk_sandbox_default',
  'Content-Type': 'application/json',
}

let folder: Awaited<ReturnType<typeof temporaryFolder>>

beforeEach(async () => {
  folder = await temporaryFolder()
})

afterEach(() => folder.remove())

async function call<Body = Record<string, unknown>>(url: string, body?: object, headers = HEADERS) {
  const method = body === undefined ? 'GET' : 'POST'
  const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
  const response = await fetch(url, init)
  return { status: response.status, body: (await response.json()) as Body }
}

it('stops an advance at a whole due item on SIGTERM, answers, and ends with 0 within 5 s', async () => {
  const sandbox = await serve('--data', folder.path)
  await call(`${sandbox.url}/sandbox/plans`, {
    plan_id: 'daily',
    product_id: 'prod_app',
    name: 'Daily',
    amount: 100,
    currency: 'USD',
    interval: 'day',
  })
  for (let made = 0; made < 20; made += 1) {
    await call(`${sandbox.url}/v1/subscriptions`, { customer_id: 'cus_ada', plan: 'daily' })
  }
  const advancing = call<{ to: string; stopped_because: string }>(
    `${sandbox.url}/sandbox/clock/advance`,
    { by: 'P200Y' },
  )
  await untilMoving(sandbox.url)
  const toldAt = performance.now()
  const ended = sandbox.stop()
  const advanced = await advancing
  expect(advanced).toMatchObject({ status: 200, body: { stopped_because: 'item_limit' } })
  expect(await ended).toBe(0)
  expect(performance.now() - toldAt).toBeLessThan(5000)

  const again = await serve('--data', folder.path)
  const clock = await call(`${again.url}/sandbox/clock`)
  expect(clock.body['now']).toBe(advanced.body.to)
  expect((await call(`${again.url}/sandbox/audit`)).body['ok']).toBe(true)
  await again.stop()
})

it('lets 50 sandboxes be used at once without one seeing another', async () => {
  const sandbox = await serve('--data', folder.path)
  const workers = Array.from({ length: 50 }, async (_, worker) => {
    const id = `worker-${worker}`
    const put = await fetch(`${sandbox.url}/sandboxes/${id}`, { method: 'PUT' })
    expect(put.status).toBe(201)
    const headers = { ...HEADERS, Authorization: `Bearer sk_sandbox_${id}` }
    for (let made = 0; made <= worker % 5; made += 1) {
      const order = { customer_id: 'cus_ada', plan: 'basic' }
      expect((await call(`${sandbox.url}/v1/subscriptions`, order, headers)).status).toBe(200)
    }
    await call(`${sandbox.url}/sandbox/clock/advance`, { by: `P${worker + 1}D` }, headers)
    const { body } = await call<{ counts: Record<string, number>; now: string }>(
      `${sandbox.url}/sandbox`,
      undefined,
      headers,
    )
    expect(body.counts['subscriptions']).toBe((worker % 5) + 1)
    expect(Date.parse(body.now)).toBe(Date.parse('2027-01-01') + (worker + 1) * 86_400_000)
  })
  await Promise.all(workers)
  await sandbox.stop()

  const again = await serve('--data', folder.path)
  const { body } = await call<{ data: unknown[] }>(`${again.url}/sandboxes?limit=1000`)
  expect(body.data).toHaveLength(51)
  await again.stop()
})

it('answers another sandbox while one advances for long', async () => {
  const sandbox = await serve('--data', 'memory')
  await fetch(`${sandbox.url}/sandboxes/slow`, { method: 'PUT' })
  const slow = { ...HEADERS, Authorization: 'Bearer sk_sandbox_slow' }
  for (let made = 0; made < 50; made += 1) {
    await call(`${sandbox.url}/v1/subscriptions`, { customer_id: 'cus_ada', plan: 'basic' }, slow)
  }
  let isOver = false
  const advancing = call(`${sandbox.url}/sandbox/clock/advance`, { by: 'P60Y' }, slow).then(() => {
    isOver = true
  })
  let answered = 0
  while (!isOver) {
    await call(`${sandbox.url}/sandbox/clock`)
    if (!isOver) answered += 1
  }
  await advancing
  expect(answered).toBeGreaterThan(10)
  await sandbox.stop()
})

/** Waits until an advance has got somewhere. The stamp of an answer needs no turn of the sandbox. */
async function untilMoving(url: string): Promise<void> {
  for (let asked = 0; asked < 500; asked += 1) {
    const time = (await fetch(`${url}/health/live`)).headers.get('Sandbox-Time') ?? ''
    if (time > '2027-06-01') return
  }
  throw new Error('The clock does not move')
}
