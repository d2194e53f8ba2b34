import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { v1Operations } from '../../src/surface/v1/operations.ts'
import { serve } from '../support/process.ts'
import { exchangesOf, played } from '../support/transcript.ts'

it.each(['README.md', 'contracts/README.md'])(
  'prints what %s says, for every command in it',
  async (page) => {
    const sandbox = await serve('--data', 'memory')
    const { printed, promised } = await played(page, sandbox.url)
    await sandbox.stop()
    expect(printed).toEqual(promised)
  },
)

it('shows every documented operation in the README', async () => {
  const commands = exchangesOf(await readFile('README.md', 'utf8')).map(({ command }) => command)
  for (const { path } of v1Operations) {
    const shown = new RegExp(path.replace(/\{\w+\}/g, '[\\w]+').concat(String.raw`(\s|$)`))
    expect(commands.some((command) => shown.test(command))).toBe(true)
  }
})
