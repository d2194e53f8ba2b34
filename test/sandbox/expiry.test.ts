import { expect, it } from 'vitest'
import { expireUnused } from '../../src/sandbox/expiry.ts'
import type { Store } from '../../src/store/store.ts'
import { inSandbox, openShop } from '../support/control.ts'
import { temporaryFolder } from '../support/folders.ts'
import { machineAt } from '../support/machine-time.ts'
import { type Behaviour, openReceiver, SECRET } from '../support/receiver.ts'
import { storeIn } from '../support/store.ts'

const MINUTE = 60_000
const expireMs = 60 * MINUTE

/** A shop whose sandboxes go after an hour, on a machine whose time only the test moves. */
async function expiring(store?: Store) {
  const machine = machineAt('2026-05-01T12:00:00Z')
  const shop = await openShop({}, 10, { time: machine.time, ...(store && { store }) })
  const lines: string[] = []
  const log = (line: string) => lines.push(line)
  const expiry = expireUnused(shop.registry, { time: machine.time, expireMs, log })
  return { machine, shop, lines, expiry, ids: () => shop.registry.ids }
}

it('deletes what no request used for so long, says so, and leaves the default sandbox', async () => {
  const { machine, shop, lines, ids } = await expiring()
  await shop.call('PUT', '/sandboxes/forgotten')
  await machine.pass(59 * MINUTE)
  expect(ids()).toEqual(['default', 'forgotten'])
  await machine.pass(2 * MINUTE)
  expect(ids()).toEqual(['default'])
  expect(lines).toEqual(['Sandbox "forgotten" was deleted: no request used it for 3600 s.'])
  await machine.pass(600 * MINUTE)
  expect(ids()).toEqual(['default'])
  expect((await shop.call('PUT', '/sandboxes/forgotten')).status).toBe(201)
})

it('counts from the last request to a sandbox, be it a read, a write or a call of /v1', async () => {
  const { machine, shop, ids } = await expiring()
  await shop.call('PUT', '/sandboxes/busy')
  const busy = inSandbox(shop, 'busy')
  const headers = { Authorization: 'Bearer sk_sandbox_busy' }
  const json = { customer_id: 'cus_ada', plan: 'pro' }
  const calls = [
    () => busy.get('/sandbox/clock'),
    () => busy.post('/sandbox/clock/advance', { by: 'P1D' }),
    () => shop.call('POST', '/v1/subscriptions', { headers, json }),
    () => busy.get('/sandbox/nowhere'),
  ]
  for (const call of calls) {
    await machine.pass(40 * MINUTE)
    await call()
  }
  expect(ids()).toContain('busy')
  await machine.pass(61 * MINUTE)
  expect(ids()).not.toContain('busy')
})

it('is not kept up by lists of sandboxes, and is by a fork that is made of it', async () => {
  const { machine, shop, ids } = await expiring()
  for (const name of ['template', 'listed']) await shop.call('PUT', `/sandboxes/${name}`)
  await machine.pass(40 * MINUTE)
  await shop.get('/sandboxes')
  await shop.call('POST', '/sandboxes', { json: { from: { sandbox: 'template' } } })
  await machine.pass(30 * MINUTE)
  expect(ids()).toEqual(['default', 'template', 'sbx-000001'])
})

it('waits while somebody follows the events, and while a call is under way', async () => {
  const { machine, shop, ids } = await expiring()
  for (const name of ['followed', 'waited']) await shop.call('PUT', `/sandboxes/${name}`)
  const gone = new AbortController()
  const stream = await shop.app.request('/sandbox/events/stream', {
    headers: { 'Sandbox-Id': 'followed' },
    signal: gone.signal,
  })
  const reader = stream.body?.getReader()
  const followed = await shop.registry.find('followed')
  if (followed === null || !('notifications' in followed)) throw new Error('It is gone')
  await expect.poll(() => followed.notifications.listenerCount('change')).toBe(1)
  const waited = inSandbox(shop, 'waited')
  let answer = (_: Behaviour) => {}
  const receiver = await openReceiver(() => new Promise((resolve) => (answer = resolve)))
  const hook = { url: receiver.url, secret: SECRET, event_types: ['subscription.renewed'] }
  await waited.post('/sandbox/webhooks', hook)
  await waited.post('/sandbox/subscriptions', { customer_id: 'cus_ada', plan: 'basic' })
  const call = waited.post('/sandbox/clock/advance', { by: 'P1M', lockstep: true })
  await expect.poll(() => receiver.heard.length).toBe(1)
  await machine.pass(90 * MINUTE)
  expect(ids()).toEqual(['default', 'followed', 'waited'])
  answer(200)
  expect((await call).status).toBe(200)
  await reader?.cancel()
  gone.abort()
  await machine.pass(62 * MINUTE)
  expect(ids()).toEqual(['default'])
})

it('counts from the start after a restart, and deletes from the disk', async () => {
  const folder = await temporaryFolder()
  const first = await openShop({}, 10, { store: await storeIn(folder.path) })
  await first.call('PUT', '/sandboxes/stored')
  await first.registry.close()

  const store = await storeIn(folder.path)
  const { machine, shop, ids, expiry } = await expiring(store)
  await machine.pass(59 * MINUTE)
  expect(ids()).toEqual(['default', 'stored'])
  await machine.pass(2 * MINUTE)
  // What is on a real disk takes real time.
  await expect.poll(ids).toEqual(['default'])
  expiry.stop()
  await shop.registry.close()
  const after = await storeIn(folder.path)
  expect(await after.list()).toEqual(['default'])
  await after.close()
  await folder.remove()
})

it('looks no more once it is stopped', async () => {
  const { machine, shop, expiry, ids } = await expiring()
  await shop.call('PUT', '/sandboxes/kept')
  expiry.stop()
  await machine.pass(600 * MINUTE)
  expect(ids()).toEqual(['default', 'kept'])
})
