import { setTimeout as pause } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import type { WireAdvance } from '../../../src/wire/billing/advance.ts'
import type { WireEventList } from '../../../src/wire/events/event-schema.ts'
import { temporaryFolder } from '../../support/folders.ts'
import { type Served, serve } from '../../support/process.ts'
import { openReceiver, type Receiver, SECRET } from '../../support/receiver.ts'

/** Asks, or posts what there is to post. */
async function call<Body>({ url }: Served, path: string, json?: object) {
  const headers = { 'Content-Type': 'application/json' }
  const sent = json === undefined ? {} : { method: 'POST', headers, body: JSON.stringify(json) }
  const answer = await fetch(`${url}${path}`, sent)
  return { status: answer.status, body: (await answer.json()) as Body }
}

async function ownFolder(): Promise<string> {
  const { path, remove } = await temporaryFolder()
  onTestFinished(remove)
  return path
}

/** Ada subscribes and pays for a year, of which a receiver is to be told. */
async function aYear(sandbox: Served, { url }: Receiver): Promise<void> {
  expect((await call(sandbox, '/sandbox/webhooks', { url, secret: SECRET })).status).toBe(201)
  const subscription = { customer_id: 'cus_ada', plan: 'basic' }
  await call(sandbox, '/sandbox/subscriptions', subscription)
}

async function seqsOf(sandbox: Served): Promise<readonly number[]> {
  const { body } = await call<WireEventList>(sandbox, '/sandbox/events?limit=1000')
  return body.data.map(({ seq }) => seq)
}

it('goes on after a crash with what was not delivered, in order', async () => {
  const folder = await ownFolder()
  // Half of it arrives before the crash; from then on nothing, until the next process.
  let isUp = true
  const receiver = await openReceiver((_, count) => {
    if (count === 20) isUp = false
    return isUp ? 200 : 'hang'
  })
  const first = await serve('--data', folder)
  await aYear(first, receiver)
  await call(first, '/sandbox/clock/advance', { by: 'P1Y' })
  await receiver.until(20)
  first.child.kill('SIGKILL')
  await first.ended
  isUp = true
  const second = await serve('--data', folder, '--quiet')
  const seqs = await seqsOf(second)
  expect(seqs.length).toBeGreaterThan(40)
  await receiver.until(seqs.length + 1)
  // The one that was under way is told twice, under one identifier.
  expect(receiver.seqs()).toEqual([...seqs.slice(0, 20), ...seqs.slice(19)])
  expect(receiver.heard[20]?.id).toBe(receiver.heard[19]?.id)
  expect(await second.stop()).toBe(0)
  expect(second.errors()).toBe('')
})

it('stops in the midst of a lockstep without waiting for its receiver, at a whole instant, and tells the rest later', async () => {
  const folder = await ownFolder()
  let hangs = true
  const receiver = await openReceiver(({ event }) =>
    hangs && event.at.startsWith('2027-03') ? 'hang' : 200,
  )
  const first = await serve('--data', folder)
  await aYear(first, receiver)
  const order = { by: 'P1Y', lockstep: true, receiver_timeout_ms: 60_000 }
  const advanced = call<WireAdvance>(first, '/sandbox/clock/advance', order)
  await expect.poll(() => receiver.heard.at(-1)?.timestamp).toMatch(/^2027-03/)
  const stoppedAt = performance.now()
  expect(await first.stop()).toBe(0)
  expect(performance.now() - stoppedAt).toBeLessThan(order.receiver_timeout_ms)
  expect((await advanced).body).toMatchObject({
    stopped_because: 'stopped',
    to: '2027-03-01T00:00:00.000Z',
  })
  hangs = false
  const second = await serve('--data', folder)
  const seqs = await seqsOf(second)
  await receiver.until(seqs.length + 1)
  expect(new Set(receiver.seqs())).toEqual(new Set(seqs))
  expect(receiver.heard.at(-1)?.timestamp).toBe('2027-03-01T00:00:00.000Z')
  const on = await call<WireAdvance>(second, '/sandbox/clock/advance', order)
  expect(on.body).toMatchObject({ stopped_because: 'reached', deliveries: { failed: 0 } })
  expect(await second.stop()).toBe(0)
})

it('ends a lockstep that nobody waits for any more, at a whole instant', async () => {
  const receiver = await openReceiver(({ event }) =>
    event.type === 'payment.failed' ? pause(2000).then(() => 200) : 200,
  )
  const sandbox = await serve('--data', 'memory')
  await aYear(sandbox, receiver)
  const script = { customer_id: 'cus_ada', always: 'card_declined' }
  await call(sandbox, '/sandbox/payment-outcomes', script)
  const gone = new AbortController()
  const body = JSON.stringify({ by: 'P1Y', lockstep: true })
  const headers = { 'Content-Type': 'application/json' }
  const sent = { method: 'POST', headers, body, signal: gone.signal }
  const advanced = fetch(`${sandbox.url}/sandbox/clock/advance`, sent).catch(() => 'gone')
  await expect.poll(() => receiver.heard.at(-1)?.type).toBe('payment.failed')
  gone.abort()
  expect(await advanced).toBe('gone')
  const order = { by: 'PT1S' }
  const free = () => call<WireAdvance>(sandbox, '/sandbox/clock/advance', order)
  await expect.poll(async () => (await free()).status).toBe(200)
  const { body: clock } = await call<{ now: string }>(sandbox, '/sandbox/clock')
  expect(clock.now).toMatch(/^2027-02-01T00:00/)
  expect(await sandbox.stop()).toBe(0)
})

it('tells other hosts where it was started for them', async () => {
  const webhook = { url: 'http://hooks.example.com/' }
  const plain = await serve('--data', 'memory')
  expect((await call(plain, '/sandbox/webhooks', webhook)).status).toBe(400)
  const open = await serve('--data', 'memory', '--allow-webhook-host', 'hooks.example.com')
  expect((await call(open, '/sandbox/webhooks', webhook)).status).toBe(201)
  expect([await plain.stop(), await open.stop()]).toEqual([0, 0])
})
