import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { PENDING } from '../../src/store/folder-store.ts'
import { type Store, StoreUnavailable } from '../../src/store/store.ts'
import { openShop, type Shop } from '../support/control.ts'
import { temporaryFolder } from '../support/folders.ts'
import { machineAt } from '../support/machine-time.ts'
import { SECRET } from '../support/receiver.ts'
import { entriesIn, instead, storeIn } from '../support/store.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>

beforeEach(async () => {
  folder = await temporaryFolder()
})

afterEach(() => folder.remove())

const key = { Authorization: 'Bearer sk_sandbox_one' }
const inOne = { 'Sandbox-Id': 'one' }
const order = { customer_id: 'cus_ada', plan: 'basic' }

async function open(store?: Store): Promise<Shop> {
  return openShop({}, 10, { store: store ?? (await storeIn(folder.path)) })
}

/** Leaves a folder behind in which the sandboxes `default` and `one` hold a subscription each. */
async function leaveTwo(): Promise<void> {
  const shop = await open()
  await shop.call('PUT', '/sandboxes/one', { json: {} })
  for (const headers of [{}, inOne]) {
    await shop.call('POST', '/sandbox/subscriptions', { json: order, headers })
  }
  await shop.registry.close()
}

/** Flips one byte of the journal of `one`; answers how to flip it back. */
async function damage() {
  const path = join(folder.path, 'sandboxes', 'one', 'journal-000001.ndjson')
  const at = (await readFile(path)).indexOf('"put"')
  const flip = async () => {
    const bytes = await readFile(path)
    bytes[at] = (bytes[at] ?? 0) ^ 1
    await writeFile(path, bytes)
  }
  await flip()
  return { path, mend: flip }
}

/** Has a journal end within the line that came next, as a crash leaves it. */
async function tear(path: string): Promise<void> {
  const text = await readFile(path, 'utf8')
  const mark = text.lastIndexOf('{"sum":"')
  await writeFile(path, `${text.slice(0, mark)}{"sum":"01234567","entry":{`)
}

/** A store that counts how often each sandbox is opened. */
function counting(store: Store) {
  const opened: string[] = []
  const open = (sandboxId: string) => {
    opened.push(sandboxId)
    return store.open(sandboxId)
  }
  return { opened, store: { ...store, open } }
}

it('loads the default sandbox at the start, and another when it is first asked for', async () => {
  await leaveTwo()
  const { opened, store } = counting(await storeIn(folder.path))
  const shop = await open(store)
  expect(opened).toEqual(['default'])
  const asked = Array.from({ length: 5 }, () => shop.call('GET', '/sandbox', { headers: inOne }))
  for (const { body } of await Promise.all(asked)) {
    expect(body).toMatchObject({ sandbox_id: 'one', counts: { subscriptions: 1 } })
  }
  expect(opened).toEqual(['default', 'one'])
  await shop.registry.close()
})

it('loads a sandbox for its key, its tokens, a fork of it, and a list', async () => {
  await leaveTwo()
  for (const ask of [
    (shop: Shop) => shop.call('POST', '/v1/subscriptions', { json: order, headers: key }),
    (shop: Shop) => shop.call('GET', '/sandbox', { headers: key }),
    (shop: Shop) => shop.call('POST', '/sandboxes', { json: { from: { sandbox: 'one' } } }),
    (shop: Shop) => shop.get('/sandboxes'),
    (shop: Shop) => shop.get('/sandboxes/one'),
  ]) {
    const { opened, store } = counting(await storeIn(folder.path))
    const shop = await open(store)
    expect((await ask(shop)).status).toBeLessThan(300)
    expect(opened.slice(0, 2)).toEqual(['default', 'one'])
    await shop.registry.close()
  }
})

it('refuses every call on a damaged sandbox with file, line and reason, and serves the others', async () => {
  await leaveTwo()
  const { path } = await damage()
  const before = await readFile(path)
  const shop = await open()
  expect((await shop.get('/sandbox')).status).toBe(200)

  const calls = [
    await shop.call('POST', '/v1/subscriptions', { json: order, headers: key }),
    await shop.call('GET', '/sandbox', { headers: inOne }),
    await shop.get('/sandboxes/one'),
    await shop.call('POST', '/sandboxes', { json: { from: { sandbox: 'one' } } }),
  ]
  for (const { status, text } of calls) {
    expect(status).toBe(500)
    expect(text).toContain('storage_damaged')
    expect(text).toContain(`${path}:1 does not match its checksum`)
  }
  expect(shop.log).toEqual([`${path}:1 does not match its checksum`])
  expect((await shop.get('/sandboxes')).body).toMatchObject({
    data: [
      { sandbox_id: 'default', now: '2027-01-01T00:00:00.000Z' },
      { sandbox_id: 'one', api_key: 'sk_sandbox_one', now: null },
    ],
  })
  expect((await shop.call('PUT', '/sandboxes/one', { json: {} })).status).toBe(409)
  expect(await readFile(path)).toEqual(before)

  expect((await shop.call('DELETE', '/sandboxes/one')).status).toBe(204)
  expect((await shop.call('PUT', '/sandboxes/one', { json: {} })).status).toBe(201)
  await shop.registry.close()
})

it('finds a sandbox again whose files were mended while it runs', async () => {
  await leaveTwo()
  const { mend } = await damage()
  const shop = await open()
  expect((await shop.get('/sandboxes/one')).status).toBe(500)
  await mend()
  expect((await shop.get('/sandboxes/one')).status).toBe(200)
  await shop.registry.close()
})

it('warns of a torn last line when it gets to it', async () => {
  await leaveTwo()
  await tear(join(folder.path, 'sandboxes', 'one', 'journal-000001.ndjson'))
  const warnings: string[] = []
  const shop = await open(await storeIn(folder.path, { warnings }))
  expect(warnings).toEqual([])
  const { body } = await shop.call('GET', '/sandbox', { headers: inOne })
  expect(body).toMatchObject({ counts: { subscriptions: 1 } })
  expect(warnings.join()).toContain('journal-000001.ndjson:2 is cut short')
  await shop.registry.close()
})

it('takes a folder that was emptied for a damaged sandbox, which can be deleted', async () => {
  await mkdir(join(folder.path, 'sandboxes', 'one'), { recursive: true })
  const shop = await open()
  expect((await shop.get('/sandboxes/one')).text).toContain('sandbox.json is missing')
  expect((await shop.call('PUT', '/sandboxes/one', { json: {} })).status).toBe(409)
  expect((await shop.call('DELETE', '/sandboxes/one')).status).toBe(204)
  expect((await shop.call('PUT', '/sandboxes/one', { json: {} })).status).toBe(201)
  await shop.registry.close()
})

it('has sandboxes called as its own files are, which are nothing of the store’s own', async () => {
  const ids = ['lock', PENDING, 'sandboxes', 'state']
  const shop = await open()
  for (const id of ids)
    expect((await shop.call('PUT', `/sandboxes/${id}`, { json: {} })).status).toBe(201)
  await shop.registry.close()
  const again = await open()
  for (const id of ids) {
    expect((await again.get(`/sandboxes/${id}`)).status).toBe(200)
    expect((await again.call('DELETE', `/sandboxes/${id}`)).status).toBe(204)
  }
  await expect(storeIn(folder.path)).rejects.toThrow('is in use by process')
  expect((await again.get('/sandboxes/default')).status).toBe(200)
  await again.registry.close()
})

it('undoes what a command changed before it broke off', async () => {
  const shop = await open()
  const before = await shop.state()
  const defect = new Error('An invariant is broken')
  const broken = shop.registry.default.execute(
    (world) => {
      world.customers.delete('cus_ada')
      throw defect
    },
    () => 'req_000001',
  )
  await expect(broken).rejects.toBe(defect)
  expect(await shop.state()).toBe(before)
  await shop.registry.close()
  const again = await open()
  expect(await again.state()).toBe(before)
  await again.registry.close()
})

it('loads the others that may have events to deliver where one shows a defect', async () => {
  await leaveTwo()
  const store = await storeIn(folder.path)
  const failing = instead(store, {
    undelivered: async () => ['two', 'one'],
    list: async () => ['default', 'one', 'two'],
    open: async (id) => {
      if (id === 'two') throw new Error('An invariant is broken')
      return store.open(id)
    },
  })
  const shop = await open(failing)
  await shop.registry.loadUndelivered()
  expect(shop.registry.usedAt('one')).not.toBeNull()
  expect(shop.log).toEqual(['Error: An invariant is broken'])
  await shop.registry.close()
})

it('keeps a sandbox whose disk refuses what falls due as it is loaded, and goes on with it', async () => {
  await leaveTwo()
  const first = await open()
  await first.call('PUT', '/sandbox/clock', { json: { mode: 'running' }, headers: inOne })
  await first.registry.close()
  const store = await storeIn(folder.path)
  let [isFull, isLoading, opened, passedMs] = [true, true, 0, 0]
  const openFull = async (id: string) => {
    if (id === 'one') opened += 1
    const stored = await store.open(id)
    const full = () => Promise.reject(new StoreUnavailable('The disk is full'))
    return instead(stored, {
      append: (entry) => (isFull ? full() : stored.append(entry)),
      committed: () => (isFull ? full() : stored.committed()),
    })
  }
  const { time } = machineAt('2026-11-20T12:00:00.000Z')
  // A month passes with each look at the time.
  const now = () => {
    if (isLoading) passedMs += 31 * 86_400_000
    return time.now() + passedMs
  }
  const options = { store: instead(store, { open: openFull }), time: { ...time, now } }
  const shop = await openShop({}, 10, options)
  const refused = await shop.call('GET', '/sandbox', { headers: inOne })
  expect(refused).toMatchObject({ status: 503, body: { code: 'storage_unavailable' } })
  isFull = false
  isLoading = false
  expect((await shop.call('GET', '/sandbox', { headers: inOne })).status).toBe(200)
  expect(opened).toBe(1)
  await shop.registry.close()
})

it('reads nothing of a sandbox that was closed: its files may be of another by then', async () => {
  await leaveTwo()
  const store = await storeIn(folder.path)
  const stored = await store.open('one')
  await stored.close()
  await expect(entriesIn(stored)).rejects.toThrow('is closed')
  await store.close()
})

it('loads a running clock with webhooks at the next start, though nothing is left to deliver', async () => {
  await leaveTwo()
  const shop = await open()
  const hook = { url: 'http://127.0.0.1:9/', secret: SECRET }
  await shop.call('POST', '/sandbox/webhooks', { json: hook, headers: inOne })
  await shop.call('PUT', '/sandbox/clock', { json: { mode: 'running' }, headers: inOne })
  await shop.registry.close()
  const store = await storeIn(folder.path)
  expect(await store.undelivered()).toEqual(['one'])
  await store.close()
})

it('leaves nothing of a sandbox that could not be made', async () => {
  const shop = await open()
  const place = join(folder.path, 'sandboxes', 'two')
  await mkdir(join(place, 'foreign'), { recursive: true })
  expect(await shop.call('PUT', '/sandboxes/two')).toMatchObject({ status: 503 })
  expect(await readdir(join(folder.path, PENDING))).toEqual([])
  expect(await readdir(place)).toEqual(['foreign'])
  await shop.registry.close()
})

it('has no clock run on of a sandbox that could not be made', async () => {
  const store = await storeIn(folder.path)
  const full = () => Promise.reject(new StoreUnavailable('The disk is full'))
  const create = async (id: string) =>
    id === 'fork' ? instead(await store.create(id), { replace: full }) : store.create(id)
  const machine = machineAt('2026-11-20T12:00:00.000Z')
  const shop = await openShop({}, 10, { store: instead(store, { create }), time: machine.time })
  await shop.post('/sandbox/subscriptions', order)
  await shop.call('PUT', '/sandbox/clock', { json: { mode: 'running' } })
  const waiting = machine.waiting()
  const json = { from: { sandbox: 'default' } }
  expect((await shop.call('PUT', '/sandboxes/fork', { json })).status).toBe(503)
  expect(machine.waiting()).toBe(waiting)
  await shop.registry.close()
})
