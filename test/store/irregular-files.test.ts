/** A pipe, a device or a socket in the place of a file: reading it would wait without an end. */
import { execFileSync } from 'node:child_process'
import { mkdir, readdir, rm, symlink } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { diagnose } from '../../src/sandbox/diagnosis.ts'
import { chooseFixture } from '../../src/server/fixture-choice.ts'
import { outcome, run } from '../support/command-line.ts'
import { openShop } from '../support/control.ts'
import { temporaryFolder } from '../support/folders.ts'
import { storeIn } from '../support/store.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>

beforeEach(async () => {
  folder = await temporaryFolder()
})

afterEach(() => folder.remove())

/** The path of a file of a stored sandbox, or of the lock. */
async function pathOf(kind: string): Promise<string> {
  const shop = await openShop({}, 10, { store: await storeIn(folder.path) })
  await shop.registry.close()
  if (kind === 'lock') return join(folder.path, kind)
  const place = join(folder.path, 'sandboxes', 'default')
  const names = await readdir(place)
  return join(place, names.find((name) => name.startsWith(kind)) ?? kind)
}

async function expectRefused(path: string): Promise<void> {
  const { code, err } = await outcome(run(['serve', '--port', '0', '--data', folder.path]))
  expect(err).toContain(`${path} must be a regular file`)
  expect(code).toBe(3)
}

it.each(['sandbox.json', 'sandbox.copy.json', 'state', 'journal', 'lock'])(
  'a pipe in the place of %s stops the start, with its path',
  async (kind) => {
    const path = await pathOf(kind)
    await rm(path)
    execFileSync('mkfifo', [path])
    await expectRefused(path)
  },
)

it('a pipe in the place of the copy of the manifest is damage, and costs nothing that is stored', async () => {
  const path = await pathOf('sandbox.copy.json')
  await rm(path)
  execFileSync('mkfifo', [path])
  const { damages, world } = await diagnose(folder.path, 'default')
  expect(damages).toEqual([{ at: path, reason: 'must be a regular file' }])
  expect(world?.plans.size).toBeGreaterThan(0)
})

it('a device stops the start', async () => {
  const path = await pathOf('state')
  await rm(path)
  await symlink('/dev/zero', path)
  await expectRefused(path)
})

it('a socket stops the start', async () => {
  const path = await pathOf('journal')
  await rm(path)
  const server = createServer().listen(path)
  try {
    await expectRefused(path)
  } finally {
    server.close()
  }
})

it('a pipe among the fixtures of a folder is refused', async () => {
  const fixtures = join(folder.path, 'fixtures')
  await mkdir(fixtures)
  execFileSync('mkfifo', [join(fixtures, 'shop.yaml')])
  expect(await chooseFixture(fixtures)).toMatchObject({
    message: `${join(fixtures, 'shop.yaml')} must be a regular file.`,
  })
})
