import { resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { attempt, stateOf } from '../support/crash-call.ts'
import { stateOnDisk } from '../support/disk.ts'
import { temporaryFolder } from '../support/folders.ts'
import {
  failToServeBeside,
  hasDisksOfItsOwn,
  runBeside,
  type Served,
  serveOnDisk,
} from '../support/process.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let sandbox: Served

const fill = () => `dd if=/dev/zero of="${folder.path}/filler" bs=4k 2>/dev/null; true`
const makeSpace = () => `rm "${folder.path}/filler"`

/** Uses up what is left of the last block of the journal, and answers the first refusal. */
async function untilRefused() {
  for (let count = 0; count < 100; count += 1) {
    const answer = await post(sandbox, '/sandbox/customers', {
      name: `during ${count}`.padEnd(200, '.'),
    })
    if (answer.status !== 201) return answer
  }
  throw new Error('The disk took a hundred customers')
}

const post = (sandbox: Served, path: string, body: object) =>
  attempt(sandbox, `POST ${path}`, { body })

describe.runIf(hasDisksOfItsOwn())('a small disk', () => {
  beforeEach(async () => {
    folder = await temporaryFolder()
    sandbox = await serveOnDisk(folder.path, 2048)
  })

  afterEach(async () => {
    await sandbox.stop()
    await folder.remove()
  })

  it('refuses changes with 503 while the disk is full, and goes on once there is space', async () => {
    await runBeside(sandbox, fill())
    const first = await untilRefused()
    expect(first).toMatchObject({ status: 503, body: { code: 'storage_unavailable' } })
    expect(first.body['detail']).toContain('cannot be written')

    const before = await stateOf(sandbox)
    for (const [path, body] of [
      ['/sandbox/customers', { name: 'refused'.padEnd(200, '.') }],
      ['/sandbox/reset', {}],
    ] as const) {
      expect(await post(sandbox, path, body)).toMatchObject({ status: 503 })
      expect(await stateOf(sandbox)).toBe(before)
    }
    expect(await stateOnDisk(sandbox, folder.path)).toBe(before)

    await runBeside(sandbox, makeSpace())
    expect((await post(sandbox, '/sandbox/customers', { customer_id: 'after' })).status).toBe(201)
    const after = await stateOf(sandbox)
    expect(after).toContain('"after"')
    expect(after).not.toContain('refused')
    expect(await stateOnDisk(sandbox, folder.path)).toBe(after)
  })

  it('undoes an advance that the disk does not take', async () => {
    await post(sandbox, '/sandbox/subscriptions', { customer_id: 'cus_ada', plan: 'basic' })
    await runBeside(sandbox, fill())
    await untilRefused()
    const before = await stateOf(sandbox)
    expect(await post(sandbox, '/sandbox/clock/advance', { by: 'P2Y' })).toMatchObject({
      status: 503,
    })
    expect(await stateOf(sandbox)).toBe(before)
    await runBeside(sandbox, makeSpace())
    expect(await post(sandbox, '/sandbox/clock/advance', { by: 'P2Y' })).toMatchObject({
      status: 200,
    })
  })

  it('refuses to start on a folder that can only be read', async () => {
    await runBeside(
      sandbox,
      `mkdir "${folder.path}/locked" && mount -t tmpfs -o ro tmpfs "${folder.path}/locked"`,
    )
    const refused = await failToServeBeside(sandbox, `${folder.path}/locked`)
    expect(refused).toMatchObject({ code: 3 })
    expect(refused.errors).toMatch(/\/locked\/\S+ cannot be locked: read-only file system/)
  })

  it('ends with 3 what finds the disk full, and init leaves no part of a fixture', async () => {
    const copy = await temporaryFolder()
    await runBeside(sandbox, `cp -r "${folder.path}/sandboxes" "${copy.path}"`)
    await runBeside(sandbox, `cd "${folder.path}" && mkdir new saved && ${fill()}`)
    const refused = await failToServeBeside(sandbox, `${folder.path}/new`)
    expect(refused).toMatchObject({ code: 3 })
    expect(refused.errors).toMatch(/^Nothing was changed: .* cannot be written: ENOSPC/)
    const main = `"${process.execPath}" "${resolve('dist/cli/main.js')}"`
    for (const command of [`doctor --data "${copy.path}" --save-to saved`, 'init']) {
      await runBeside(sandbox, `cd "${folder.path}" && ${main} ${command}; test $? = 3`)
    }
    await runBeside(sandbox, `test ! -e "${folder.path}/sandbox.fixture.yaml"`)
    await copy.remove()
  })
})
