/** Readiness while the disk takes nothing. */
import { mkdir, rename, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { PENDING } from '../../src/store/folder-store.ts'
import { openShop, type Shop } from '../support/control.ts'
import { temporaryFolder } from '../support/folders.ts'
import { storeIn } from '../support/store.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let shop: Shop

beforeEach(async () => {
  folder = await temporaryFolder()
  shop = await openShop({ fixture: 'empty' }, 10, { store: await storeIn(folder.path) })
})

afterEach(async () => {
  await shop.registry.close()
  await folder.remove()
})

const health = async (of: string) => {
  const answer = await shop.app.request(`/health/${of}`)
  return { status: answer.status, body: await answer.json() }
}
const ready = () => health('ready')
const create = (id: string) => shop.post('/sandbox/customers', { customer_id: id })

/** Takes something away while work is done. */
async function without(path: string, work: () => Promise<void>): Promise<void> {
  await rename(path, `${path}-away`)
  await work()
  await rename(`${path}-away`, path)
}

it('is refused with the reason once a change could not be stored, until the disk takes one again', async () => {
  expect((await ready()).status).toBe(200)
  const trial = join(folder.path, PENDING, 'trial')
  // Nothing can be written to a folder.
  await mkdir(trial)
  expect((await ready()).status).toBe(200)
  await without(join(folder.path, 'sandboxes', 'default'), async () => {
    const refused = await create('refused')
    expect(refused.status).toBe(503)
    expect(await ready()).toMatchObject({
      status: 503,
      body: {
        code: 'storage_unavailable',
        detail: expect.stringMatching(/^No change can be stored: .*was removed or replaced/),
      },
    })
  })
  expect((await create('stored')).status).toBe(201)
  expect((await ready()).status).toBe(200)
  await rmdir(trial)
})

it('is given while the disk takes a trial, whatever is wrong with one sandbox', async () => {
  await without(join(folder.path, 'sandboxes', 'default'), async () => {
    expect((await create('refused')).status).toBe(503)
    expect((await ready()).status).toBe(200)
  })
})

it('is refused where the data folder is removed, and whether the process lives is not', async () => {
  await rm(folder.path, { recursive: true })
  expect((await ready()).status).toBe(200)
  expect((await create('refused')).status).toBe(503)
  expect((await ready()).status).toBe(503)
  expect((await health('live')).status).toBe(200)
})
