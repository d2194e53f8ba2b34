import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { attempt, stateOf } from '../support/crash-call.ts'
import { stateOnDisk } from '../support/disk.ts'
import { temporaryFolder } from '../support/folders.ts'
import { hasDisksOfItsOwn, runBeside, type Served, serveOnDisk } from '../support/process.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
/** The process that the disk belongs to. */
let first: Served

/** A disk with an open file cannot be made read-only itself; what it is mounted on can. */
const makeReadOnly = () =>
  runBeside(
    first,
    `mount --bind "${folder.path}" "${folder.path}" && mount -o remount,bind,ro "${folder.path}"`,
  )
const makeWritable = () => runBeside(first, `umount "${folder.path}"`)

const refused = { status: 503, body: { code: 'storage_unavailable' } }

/** Whatever writes more than a line. */
const wholeWrites = [
  ['/sandbox/reset', {}],
  ['/sandbox/checkpoints', { name: 'refused' }],
  ['/sandbox/checkpoints/before/restore', {}],
] as const

const post = (sandbox: Served, path: string, body: object) =>
  attempt(sandbox, `POST ${path}`, { body })

async function expectRefused(
  sandbox: Served,
  place: string,
  changes: readonly (readonly [string, object])[],
): Promise<void> {
  const before = await stateOf(sandbox)
  for (const [path, body] of changes) {
    expect(await post(sandbox, path, body), path).toMatchObject(refused)
    expect(await stateOf(sandbox), path).toBe(before)
  }
  expect(await stateOnDisk(sandbox, place)).toBe(before)
}

describe.runIf(hasDisksOfItsOwn())('a folder that turns read-only under a process', () => {
  beforeEach(async () => {
    folder = await temporaryFolder()
    first = await serveOnDisk(folder.path, 8192)
  })

  afterEach(async () => {
    await first.stop()
    await folder.remove()
  })

  it('keeps what it can still append to the open journal, and refuses with 503 what it cannot', async () => {
    await post(first, '/sandbox/customers', { customer_id: 'opens' })
    await post(first, '/sandbox/checkpoints', { name: 'before' })
    await makeReadOnly()
    const appended = await post(first, '/sandbox/customers', { customer_id: 'appended' })
    expect(appended.status).toBe(201)
    expect(await stateOnDisk(first, folder.path)).toContain('"appended"')
    await expectRefused(first, folder.path, wholeWrites)
    await makeWritable()

    expect((await post(first, '/sandbox/checkpoints', { name: 'after' })).status).toBe(201)
    expect((await post(first, '/sandbox/checkpoints/before/restore', {})).status).toBe(200)
    const after = await stateOf(first)
    expect(after).not.toContain('"appended"')
    expect(await stateOnDisk(first, folder.path)).toBe(after)
  })
})
