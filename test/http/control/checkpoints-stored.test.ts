import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { PENDING } from '../../../src/store/folder-store.ts'
import { StoreError } from '../../../src/store/store.ts'
import { inSandbox, openShop, type Shop } from '../../support/control.ts'
import { temporaryFolder } from '../../support/folders.ts'
import { storeIn } from '../../support/store.ts'

const path = '/sandbox/checkpoints'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let shop: Shop

async function start(): Promise<Shop> {
  return openShop({}, 10, { store: await storeIn(folder.path) })
}

async function restart(): Promise<void> {
  await shop.registry.close()
  shop = await start()
}

const place = (id: string, ...names: string[]) => join(folder.path, 'sandboxes', id, ...names)
const file = (number: number) => place('default', `checkpoints-00000${number}.ndjson`)

async function checkpointFiles(id = 'default'): Promise<string[]> {
  return (await readdir(place(id))).filter((name) => name.startsWith('checkpoints')).sort()
}

beforeEach(async () => {
  folder = await temporaryFolder()
  shop = await start()
  await shop.post('/sandbox/subscriptions', { customer_id: 'cus_ada', plan: 'basic' })
  await shop.post('/sandbox/tokens', {})
  await shop.post(path, { name: 'first' })
  await shop.post('/sandbox/clock/advance', { by: 'P2M' })
  await shop.post(path, { name: 'second' })
})

afterEach(async () => {
  await shop.registry.close()
  await folder.remove()
})

/** Everything but the ids of requests. */
async function stateNow(): Promise<string> {
  return (await shop.state()).replaceAll(/"req_\d+"/g, '"req"')
}

it('finds checkpoints again after a restart, and returns to the same bytes', async () => {
  const listed = (await shop.get(path)).text
  await shop.post(`${path}/first/restore`)
  const restored = await stateNow()
  await restart()
  expect((await shop.get(path)).text).toBe(listed)
  expect(await stateNow()).toBe(restored)
  await shop.post('/sandbox/clock/advance', { by: 'P1Y' })
  await shop.post(`${path}/first/restore`)
  expect(await stateNow()).toBe(restored)
  await restart()
  expect(await stateNow()).toBe(restored)
})

it('keeps names apart that a file system may not, each in a file of its own', async () => {
  await shop.post(path, { name: 'First' })
  await shop.call('DELETE', `${path}/second`)
  await restart()
  await shop.post(path, { name: 'third' })
  expect(await checkpointFiles()).toHaveLength(3)
  const { body } = await shop.get<{ data: { name: string }[] }>(path)
  expect(body.data.map(({ name }) => name)).toEqual(['first', 'First', 'third'])
})

it('deletes the files with the checkpoint, with a reset and with the sandbox', async () => {
  await shop.post('/sandbox/reset')
  expect(await checkpointFiles()).toEqual([])
  await restart()
  expect(await shop.get(path)).toMatchObject({ body: { data: [] } })
  await shop.call('PUT', '/sandboxes/other')
  await inSandbox(shop, 'other').post(path, { name: 'x' })
  await shop.call('DELETE', '/sandboxes/other')
  expect(await readdir(place('.'))).toEqual(['default'])
  await expect.poll(() => readdir(join(folder.path, PENDING))).toEqual([])
})

it.each([
  ['a flipped byte', async (path: string) => flip(path)],
  ['a file that is gone', async (path: string) => rm(path)],
  ['the file of another moment', async (path: string) => writeFile(path, await readFile(file(3)))],
])('refuses a checkpoint with %s, and nothing else', async (_, harm) => {
  await harm(file(2))
  await restart()
  const before = await shop.state()
  const refused = await shop.post(`${path}/first/restore`)
  expect(refused).toMatchObject({
    status: 409,
    body: {
      code: 'checkpoint_unusable',
      detail: expect.stringMatching(/^Checkpoint "first" cannot be used: /),
    },
  })
  const json = { from: { sandbox: 'default', checkpoint: 'first' } }
  const unforked = await shop.call('PUT', '/sandboxes/fork', { json })
  expect(unforked).toMatchObject({ status: 409, body: { code: 'checkpoint_unusable' } })
  expect(await shop.state()).toBe(before)
  expect(await shop.post(`${path}/second/restore`)).toMatchObject({ status: 200 })
  expect(await shop.call('DELETE', `${path}/first`)).toMatchObject({ status: 204 })
  expect(shop.log).toEqual([])
})

it('refuses a checkpoint that the disk does not take, and goes on without it', async () => {
  await shop.call('PUT', '/sandboxes/other')
  const other = inSandbox(shop, 'other')
  const before = await other.state()
  const blocked = place('other', 'sandbox.json.new')
  await mkdir(blocked)
  const refused = await other.post(path, { name: 'x' })
  expect(refused).toMatchObject({ status: 503, body: { code: 'storage_unavailable' } })
  expect(await other.get(path)).toMatchObject({ body: { data: [] } })
  expect(await other.state()).toBe(before)
  expect(await checkpointFiles('other')).toEqual([])
  await rm(blocked, { recursive: true })
  expect(await other.post(path, { name: 'x' })).toMatchObject({ status: 201 })
})

it('does not start where what names the checkpoints is damaged', async () => {
  await shop.registry.close()
  const whole = await readFile(place('default', 'sandbox.json'))
  await flip(place('default', 'sandbox.json'))
  const store = await storeIn(folder.path)
  await expect(openShop({}, 10, { store })).rejects.toThrow(StoreError)
  await store.close()
  await writeFile(place('default', 'sandbox.json'), whole)
  shop = await start()
  expect(await shop.get(path)).toMatchObject({ body: { data: [{}, {}] } })
})

/** Changes one byte in the middle of a file. */
async function flip(file: string): Promise<void> {
  const bytes = await readFile(file)
  const middle = Math.floor(bytes.length / 2)
  bytes[middle] = (bytes[middle] ?? 0) ^ 1
  await writeFile(file, bytes)
}
