import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { expect, it, vi } from 'vitest'
import { temporaryFolder } from '../support/folders.ts'
import { run, served } from '../support/process.ts'

const file = 'contracts/pacts/reference-form-client-subscription-service.json'

/** The command lines of running processes that a word stands in. */
async function processesOf(word: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'args'])
  return stdout.split('\n').filter((line) => line.includes(word))
}

it.each(['SIGTERM', 'SIGKILL'] as const)(
  'ends a replay with the process that was asked for it: %s',
  async (signal) => {
    // A place of its own for files: others on this machine may replay pacts too.
    const folder = await temporaryFolder()
    const options = ['serve', '--port', '0', '--data', 'memory']
    const { url, child, ended } = await served(run(options, { TMPDIR: folder.path }))
    const { interactions, ...rest } = JSON.parse(await readFile(file, 'utf8'))
    const many = Array.from({ length: 20 }, () => interactions).flat()
    const body = JSON.stringify({ ...rest, interactions: many })
    const headers = { 'Content-Type': 'application/json' }
    const asked = fetch(`${url}/sandbox/contracts/check?live`, { method: 'POST', headers, body })
    const answered = asked.then(
      () => 'answered',
      () => 'cut off',
    )
    const mine = `${folder.path}/subscription-sandbox-pact-`
    await vi.waitUntil(async () => (await processesOf(mine)).length > 0)
    child.kill(signal)
    await ended
    expect(await answered).toBe('cut off')
    await vi.waitUntil(async () => (await processesOf(mine)).length === 0)
    await folder.remove()
  },
)
