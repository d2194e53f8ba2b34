import { existsSync } from 'node:fs'
import { cp, mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { attempt } from '../support/crash-call.ts'
import { temporaryFolder } from '../support/folders.ts'
import { hasDisksOfItsOwn, runBeside, type Served, serve, serveOnDisk } from '../support/process.ts'

let place: Awaited<ReturnType<typeof temporaryFolder>>
let folder: string
let sandbox: Served

beforeEach(async () => {
  place = await temporaryFolder()
  folder = join(place.path, 'data')
})

afterEach(async () => {
  await sandbox.stop()
  await place.remove()
})

const kept = (id: string) => join(folder, 'sandboxes', id)

const call = (operation: string, of = 'default', body?: object) =>
  attempt(sandbox, operation, { of, ...(body && { body }) })

const create = (id: string, of?: string) => call('POST /sandbox/customers', of, { customer_id: id })

/** Serves a folder with the sandboxes `default` and `other`, which hold a customer each. */
async function start(...args: readonly string[]): Promise<void> {
  sandbox = await serve('--data', folder, ...args)
  await call('PUT /sandboxes/other')
  for (const of of ['default', 'other']) {
    expect((await create('kept', of)).status).toBe(201)
    expect((await call('POST /sandbox/checkpoints', of, { name: 'before' })).status).toBe(201)
  }
}

const changes: readonly (readonly [string, object?])[] = [
  ['POST /sandbox/customers', { customer_id: 'refused' }],
  ['POST /sandbox/checkpoints', { name: 'refused' }],
  ['POST /sandbox/checkpoints/before/restore'],
  ['POST /sandbox/clock/advance', { by: 'P1D' }],
  ['POST /sandbox/reset'],
  ['DELETE /sandbox/checkpoints/before'],
]

/** Every change is refused with the reason, in any order, and no answer holds what was refused. */
async function expectRefused(of = 'default'): Promise<void> {
  for (const [operation, body] of [...changes, ...changes]) {
    const refused = await call(operation, of, body)
    expect(refused.status, `${operation}: ${refused.text}`).toBe(503)
    expect(refused.text, operation).toContain('was removed or replaced while the sandbox runs')
    const read = await call('GET /sandbox/state', of)
    expect(read.text).not.toContain('"refused"')
    if (read.status === 200) expect(read.text).toContain('"kept"')
    else expect(read).toMatchObject({ status: 503, text: expect.stringContaining('was removed') })
  }
  expect((await call('GET /health/live')).status).toBe(200)
}

describe('the data folder', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['is removed', () => rm(folder, { recursive: true })],
    ['is renamed away', () => rename(folder, `${folder}-away`)],
  ])(
    '%s: every change is refused, the process lives, and nothing is made in its place',
    async (_, take) => {
      await start()
      await take()
      await expectRefused()
      await expectRefused('other')
      expect((await call('PUT /sandboxes/new')).status).toBe(503)
      expect((await call('DELETE /sandboxes/other')).status).toBe(503)
      expect(existsSync(folder)).toBe(false)
      expect(await sandbox.stop()).toBe(0)
    },
  )

  it('is replaced by another one, which another process has: nothing of that is touched', async () => {
    await start()
    await rename(folder, `${folder}-away`)
    const first = sandbox
    await start()
    const second = sandbox
    sandbox = first
    await expectRefused()
    await expectRefused('other')
    sandbox = second
    expect((await create('more')).status).toBe(201)
    const before = await call('GET /sandbox/state')
    await second.stop()
    sandbox = first
    expect(await first.stop()).toBe(0)
    sandbox = await serve('--data', folder)
    expect(await call('GET /sandbox/state')).toEqual(before)
  })

  it('is refused a batch too, from the first change on that comes after a failed write', async () => {
    await start('--durability', 'batch')
    await rm(folder, { recursive: true })
    let answer = await create('first')
    for (let count = 0; answer.status === 201 && count < 200; count += 1) {
      answer = await create(`more-${count}`)
    }
    expect(answer.status).toBe(503)
    expect(answer.text).toContain('was removed or replaced')
    await expectRefused()
  })
})

describe('the folder of one sandbox', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['is removed', () => rm(kept('default'), { recursive: true })],
    ['is renamed away', () => rename(kept('default'), join(place.path, 'away'))],
    [
      'is replaced by an empty one',
      async () => {
        await rm(kept('default'), { recursive: true })
        await mkdir(kept('default'))
      },
    ],
    [
      "is replaced by another sandbox's",
      async () => {
        await rename(kept('default'), join(place.path, 'away'))
        await cp(kept('other'), kept('default'), { recursive: true })
      },
    ],
  ])('%s: its changes are refused, and others go on', async (_, take) => {
    await start()
    await take()
    await expectRefused()
    expect((await create('more', 'other')).status).toBe(201)
    expect((await call('POST /sandbox/reset', 'other')).status).toBe(200)
    expect((await call('PUT /sandboxes/new')).status).toBe(201)
  })

  it('can be put back, and then everything goes on with what was kept', async () => {
    await start()
    await rename(kept('default'), join(place.path, 'away'))
    await expectRefused()
    await rename(join(place.path, 'away'), kept('default'))
    const { status, text } = await call('GET /sandbox/state')
    expect(status).toBe(200)
    expect(text).toContain('"kept"')
    expect((await create('after')).status).toBe(201)
  })
})

describe.runIf(hasDisksOfItsOwn())('a folder that cannot be deleted', () => {
  it('is a clear error, and the sandbox stays and works', async () => {
    sandbox = await serveOnDisk(place.path, 8192)
    folder = place.path
    await call('PUT /sandboxes/other')
    await create('kept', 'other')
    // What something is mounted on cannot be moved.
    await runBeside(sandbox, `mount --bind "${kept('other')}" "${kept('other')}"`)
    const refused = await call('DELETE /sandboxes/other')
    expect(refused.status).toBe(503)
    expect(refused.text).toContain(`${kept('other')} cannot be deleted`)
    expect((await call('GET /sandbox/state', 'other')).text).toContain('"kept"')
    expect((await create('more', 'other')).status).toBe(201)
    await runBeside(sandbox, `umount -l "${kept('other')}"`)
    expect((await call('DELETE /sandboxes/other')).status).toBe(204)
    expect((await call('GET /sandboxes/other')).status).toBe(404)
  })
})
