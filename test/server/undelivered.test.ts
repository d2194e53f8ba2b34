/** Events that a process left undelivered are delivered by the next one, whichever sandbox they are of. */
import { cp, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { diagnose, salvage } from '../../src/sandbox/diagnosis.ts'
import { type Started, start } from '../../src/server/start.ts'
import { UNDELIVERED } from '../../src/store/folder-store.ts'
import { temporaryFolder } from '../support/folders.ts'
import { openReceiver, SECRET } from '../support/receiver.ts'
import { storeIn } from '../support/store.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
const running = new Set<Started>()
beforeEach(async () => {
  folder = await temporaryFolder()
})
afterEach(async () => {
  for (const each of running) await each.close()
  running.clear()
  await folder.remove()
})

async function startIn(name: string): Promise<Started> {
  const started = await start({
    ...{ host: '127.0.0.1', port: 0, allowedHosts: [] },
    ...{ folder: join(folder.path, name), durability: 'commit', lock: 'kernel' },
    ...{ fixture: null, clockStart: null, running: false },
    log: (line) => expect.unreachable(line),
  })
  running.add(started)
  return started
}

async function stop(started: Started): Promise<void> {
  running.delete(started)
  await started.close()
}

async function make({ url }: Started, id: string, [path, body]: readonly [string, object]) {
  const method = path.startsWith('/sandboxes/') ? 'PUT' : 'POST'
  const headers = { 'Content-Type': 'application/json', 'Sandbox-Id': id }
  const response = await fetch(url + path, { method, headers, body: JSON.stringify(body) })
  expect(response.status, await response.text()).toBe(201)
}

/** Three sandboxes: one with a webhook and an event for it, one with a webhook and none, and one with neither. */
async function fill(started: Started, url: string): Promise<void> {
  for (const id of ['busy', 'calm', 'plain']) await make(started, id, [`/sandboxes/${id}`, {}])
  for (const id of ['busy', 'calm']) {
    await make(started, id, ['/sandbox/webhooks', { url, secret: SECRET }])
  }
  const charge = { customer_id: 'cus_ada', amount: 5, currency: 'USD' }
  for (const id of ['busy', 'plain']) await make(started, id, ['/sandbox/charges', charge])
}

async function deliveredIn({ url }: Started, id: string): Promise<number> {
  const path = `${url}/sandbox/webhooks/deliveries?status=delivered`
  const response = await fetch(path, { headers: { 'Sandbox-Id': id } })
  const { data } = (await response.json()) as { data: unknown[] }
  return data.length
}

const undelivered = (name: string) => readdir(join(folder.path, name, UNDELIVERED))
const loaded = ({ registry }: Started) => registry.ids.filter((id) => registry.usedAt(id) !== null)

it('after a clean stop only the sandbox that has events to deliver is loaded', async () => {
  let status: number | 'hang' = 'hang'
  const receiver = await openReceiver(() => status)
  const first = await startIn('data')
  await fill(first, receiver.url)
  await receiver.until(1)
  await stop(first)
  expect(await undelivered('data')).toEqual(['busy'])
  status = 204
  const second = await startIn('data')
  await receiver.until(2)
  expect(receiver.heard.map(({ sandboxId }) => sandboxId)).toEqual(['busy', 'busy'])
  expect(loaded(second).sort()).toEqual(['busy', 'default'])
  await vi.waitFor(async () => expect(await deliveredIn(second, 'busy')).toBe(1))
  await stop(second)
  expect(await undelivered('data')).toEqual([])
})

it('after a crash the sandboxes that have webhooks are loaded', async () => {
  let status: number | 'hang' = 'hang'
  const receiver = await openReceiver(() => status)
  const first = await startIn('data')
  await fill(first, receiver.url)
  await receiver.until(1)
  await cp(join(folder.path, 'data'), join(folder.path, 'after'), { recursive: true })
  await stop(first)
  status = 204
  const second = await startIn('after')
  await receiver.until(2)
  await vi.waitFor(() => expect(loaded(second).sort()).toEqual(['busy', 'calm', 'default']))
})

it('a sandbox that is deleted leaves no mark', async () => {
  const receiver = await openReceiver(() => 'hang')
  const first = await startIn('data')
  await fill(first, receiver.url)
  await fetch(`${first.url}/sandboxes/busy`, { method: 'DELETE' })
  expect(await undelivered('data')).toEqual(['calm'])
})

/** Leaves a folder `data` with an event that its receiver did not take; it takes all that come after that. */
async function leaveUndelivered() {
  let status: number | 'hang' = 'hang'
  const receiver = await openReceiver(() => status)
  const first = await startIn('data')
  await fill(first, receiver.url)
  await receiver.until(1)
  await stop(first)
  status = 204
  return receiver
}

it('in a backup of the sandboxes alone, each of them is loaded, once', async () => {
  const receiver = await leaveUndelivered()
  const sandboxes = (name: string) => join(folder.path, name, 'sandboxes')
  await cp(sandboxes('data'), sandboxes('backup'), { recursive: true })
  const second = await startIn('backup')
  await receiver.until(2)
  await vi.waitFor(async () => expect(await deliveredIn(second, 'busy')).toBe(1))
  await vi.waitFor(() =>
    expect(loaded(second).sort()).toEqual(['busy', 'calm', 'default', 'plain']),
  )
  await stop(second)
  expect(await undelivered('backup')).toEqual([])
})

it('what was saved from a damaged folder is delivered', async () => {
  const receiver = await leaveUndelivered()
  const store = await storeIn(join(folder.path, 'saved'))
  for (const id of ['busy', 'plain']) {
    await salvage(await diagnose(join(folder.path, 'data'), id), store)
  }
  await store.close()
  expect(await undelivered('saved')).toEqual(['busy'])
  await startIn('saved')
  await receiver.until(2)
})

it('a mark of a sandbox that is gone goes too', async () => {
  await stop(await startIn('data'))
  await writeFile(join(folder.path, 'data', UNDELIVERED, 'gone'), '')
  await startIn('data')
  await vi.waitFor(async () => expect(await undelivered('data')).toEqual([]))
})
