/** Native code: what loads none, and what does without it or refuses to. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../support/folders.ts'
import { creates, pactText, writePact } from '../../support/pacts.ts'
import { failed, run, served } from '../../support/process.ts'

const NODE_OPTIONS = `--import=${new URL('../../support/native-code.mjs', import.meta.url)}`

it('check loads no native code', async () => {
  const place = await temporaryFolder()
  const log = join(place.path, 'native')
  const checking = run(['check', 'test/fixtures/pacts'], { NODE_OPTIONS, NATIVE_CODE_LOG: log })
  expect(await checking.ended).toBe(0)
  await expect(readFile(log)).rejects.toThrow('ENOENT')
  const pact = await writePact(place.path, 'web.json', pactText([creates('one', {})]))
  // The same hook sees the core where it is loaded.
  const verifying = run(['verify', pact], {
    NODE_OPTIONS,
    NATIVE_CODE_LOG: log,
  })
  expect(await verifying.ended).toBe(0)
  expect(await readFile(log, 'utf8')).toMatch(/pact.*\.node/)
  await place.remove()
})

it('does not start unlocked where the native lock cannot be loaded, unless --lock none asks for it', async () => {
  const folder = await temporaryFolder()
  const environment = { NODE_OPTIONS, NATIVE_CODE: 'refused' }
  const command = ['serve', '--port', '0', '--data', folder.path]
  const refused = await failed(run(command, environment))
  expect(refused.code).toBe(3)
  for (const words of [
    `cannot be loaded on ${process.platform} ${process.arch} (native code is refused here)`,
    "two processes could overwrite each other's data",
    '--lock none',
  ]) {
    expect(refused.errors).toContain(words)
  }
  expect(refused.errors).not.toMatch(/doctor|\n\s+at /)

  const unlocked = await served(run([...command, '--lock', 'none'], environment))
  const warning = `${folder.path} is not locked (--lock none)`
  await expect.poll(() => unlocked.errors()).toContain(warning)
  const body = new URLSearchParams({ customer_id: 'cus_ada', plan: 'pro' })
  const headers = { Authorization: 'Bearer sk_sandbox_default' }
  const request = { method: 'POST', body, headers }
  expect((await fetch(`${unlocked.url}/v1/subscriptions`, request)).status).toBe(200)
  const doctor = ['doctor', '--json', '--data', folder.path]
  expect(await run(doctor, environment).ended).toBe(3)
  const examined = run([...doctor, '--lock', 'none'], environment)
  expect(await examined.ended).toBe(0)
  expect(JSON.parse(examined.output())).toMatchObject({
    lock: 'none',
    in_use_by: null,
    sound: true,
  })
  expect(await unlocked.stop()).toBe(0)
  await folder.remove()
})
