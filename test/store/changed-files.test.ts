/** Files of a sandbox that somebody changes while it runs: no change is acknowledged that the next start would not find. */
import { copyFile, readdir, readFile, rename, rm, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openShop, type Shop } from '../support/control.ts'
import { temporaryFolder } from '../support/folders.ts'
import { storeIn } from '../support/store.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let shop: Shop

const place = () => join(folder.path, 'sandboxes', 'default')

async function pathOf(kind: string): Promise<string> {
  const names = await readdir(place())
  return join(place(), names.find((name) => name.startsWith(kind)) ?? kind)
}

const create = (id: string) => shop.post('/sandbox/customers', { customer_id: id })

beforeEach(async () => {
  folder = await temporaryFolder()
  shop = await openShop({ fixture: 'empty' }, 10, { store: await storeIn(folder.path) })
  for (const id of ['first', 'second']) expect((await create(id)).status).toBe(201)
})

afterEach(async () => {
  await shop.registry.close()
  await folder.remove()
})

it('a journal that is cut: the sandbox refuses every call, leaves it as it is, and so does the next start', async () => {
  const journal = await pathOf('journal')
  const whole = await readFile(journal, 'utf8')
  await truncate(journal, whole.indexOf('\n') + 1)
  expect(await create('third')).toMatchObject({
    status: 503,
    body: { code: 'storage_unavailable', detail: expect.stringContaining('was cut or extended') },
  })
  expect(await create('fourth')).toMatchObject({
    status: 500,
    body: { code: 'storage_damaged', detail: expect.stringContaining('the file was cut') },
  })
  expect(await readFile(journal, 'utf8')).toBe(whole.slice(0, whole.indexOf('\n') + 1))
  await shop.registry.close()
  const reopened = openShop({}, 10, { store: await storeIn(folder.path) })
  await expect(reopened).rejects.toThrow('the file was cut')
})

it.each(['state', 'sandbox.json'])(
  '%s that is removed: the next change is refused, and it can be put back',
  async (kind) => {
    const path = await pathOf(kind)
    await rename(path, `${path}-away`)
    expect(await create('third')).toMatchObject({
      status: 503,
      body: { detail: expect.stringContaining('was removed or replaced while the sandbox runs') },
    })
    expect((await create('third')).status).toBeGreaterThanOrEqual(500)
    await rename(`${path}-away`, path)
    expect((await create('third')).status).toBe(201)
  },
)

it.each(['state', 'sandbox.json'])(
  '%s that is replaced: the next change is refused, and the one after it is not where the files fit',
  async (kind) => {
    const path = await pathOf(kind)
    await copyFile(path, `${path}-copy`)
    await rename(`${path}-copy`, path)
    expect(await create('third')).toMatchObject({
      status: 503,
      body: { detail: expect.stringContaining('was removed or replaced while the sandbox runs') },
    })
    expect((await create('third')).status).toBe(201)
  },
)

it('a checkpoint is made while changes are written, which are none of somebody else', async () => {
  for (let round = 0; round < 20; round += 1) {
    const calls = [
      create(`a${round}`),
      shop.post('/sandbox/checkpoints', { name: `c${round}` }),
      create(`b${round}`),
    ]
    for (const { status } of await Promise.all(calls)) expect(status).toBe(201)
  }
  await rm(await pathOf('sandbox.copy'))
  expect((await create('last')).status).toBe(201)
})
