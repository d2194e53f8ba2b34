import { afterEach, beforeEach, expect, it } from 'vitest'
import { call } from '../support/crash-call.ts'
import { temporaryFolder } from '../support/folders.ts'
import { serve } from '../support/process.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>

beforeEach(async () => {
  folder = await temporaryFolder()
})

afterEach(() => folder.remove())

it('stops an advance at a whole due item on SIGTERM, answers, and ends with 0 within 5 s', async () => {
  const sandbox = await serve('--data', folder.path)
  const names = { plan_id: 'daily', product_id: 'prod_app', name: 'Daily' }
  const daily = { ...names, amount: 100, currency: 'USD', interval: 'day' }
  await call(sandbox, 'POST /sandbox/plans', { body: daily })
  for (let made = 0; made < 20; made += 1) {
    const body = { customer_id: 'cus_ada', plan: 'daily' }
    await call(sandbox, 'POST /v1/subscriptions', { body })
  }
  const advancing = call<{ to: string; stopped_because: string }>(
    sandbox,
    'POST /sandbox/clock/advance',
    { body: { by: 'P200Y' } },
  )
  await untilMoving(sandbox.url)
  const ended = sandbox.stop()
  const advanced = await advancing
  expect(advanced.stopped_because).toBe('stopped')
  expect(await ended).toBe(0)

  const again = await serve('--data', folder.path)
  expect(await call(again, 'GET /sandbox/clock')).toMatchObject({ now: advanced.to })
  expect(await call(again, 'GET /sandbox/audit')).toMatchObject({ ok: true })
  await again.stop()
})

it('lets 50 sandboxes be used at once without one seeing another', async () => {
  const sandbox = await serve('--data', folder.path)
  const workers = Array.from({ length: 50 }, async (_, worker) => {
    const of = `worker-${worker}`
    await call(sandbox, `PUT /sandboxes/${of}`)
    const body = { customer_id: 'cus_ada', plan: 'basic' }
    for (let made = 0; made <= worker % 5; made += 1) {
      await call(sandbox, 'POST /v1/subscriptions', { of, body })
    }
    const by = `P${worker + 1}D`
    await call(sandbox, 'POST /sandbox/clock/advance', { of, body: { by } })
    const { counts, now } = await call<{ counts: Record<string, number>; now: string }>(
      sandbox,
      'GET /sandbox',
      { of },
    )
    expect(counts['subscriptions']).toBe((worker % 5) + 1)
    expect(Date.parse(now)).toBe(Date.parse('2027-01-01') + (worker + 1) * 86_400_000)
  })
  await Promise.all(workers)
  await sandbox.stop()

  const again = await serve('--data', folder.path)
  const { data } = await call<{ data: unknown[] }>(again, 'GET /sandboxes?limit=1000')
  expect(data).toHaveLength(51)
  await again.stop()
})

it('answers another sandbox while one advances for long', async () => {
  const sandbox = await serve('--data', 'memory')
  await call(sandbox, 'PUT /sandboxes/slow')
  const body = { customer_id: 'cus_ada', plan: 'basic' }
  for (let made = 0; made < 50; made += 1) {
    await call(sandbox, 'POST /v1/subscriptions', { of: 'slow', body })
  }
  let isOver = false
  const order = { of: 'slow', body: { by: 'P60Y' } }
  const advancing = call(sandbox, 'POST /sandbox/clock/advance', order).then(() => {
    isOver = true
  })
  let answered = 0
  while (!isOver) {
    await call(sandbox, 'GET /sandbox/clock')
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
