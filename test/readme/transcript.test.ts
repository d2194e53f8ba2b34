import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { v1Operations } from '../../src/http/v1/operations.ts'
import { serve } from '../support/process.ts'
import { comparable, exchangesOf, scriptOf } from '../support/transcript.ts'

const MARK = '--- the next command ---'

it('prints what the README says, for every command of its tour', async () => {
  const exchanges = exchangesOf(await readFile('README.md', 'utf8'))
  const sandbox = await serve('--data', 'memory')
  const script = scriptOf(exchanges, MARK).replaceAll('http://127.0.0.1:4010', sandbox.url)
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script])
  await sandbox.stop()

  const printed = stdout.split(`${MARK}\n`).slice(1)
  expect(printed.map(comparable)).toEqual(exchanges.map(({ output }) => comparable(output)))
})

it('shows every documented operation in the README', async () => {
  const commands = exchangesOf(await readFile('README.md', 'utf8')).map(({ command }) => command)
  for (const { path } of v1Operations) {
    const shown = new RegExp(path.replace(/\{\w+\}/g, '[\\w]+').concat(String.raw`(\s|$)`))
    expect(commands.some((command) => shown.test(command))).toBe(true)
  }
})
