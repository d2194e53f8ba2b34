/** A recording of a fixture from a file says that its server needs the file. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startSandbox } from '../../src/index.ts'

it.each(['curl', 'vitest', 'pytest', 'json'] as const)('says so as %s', async (format) => {
  const folder = await mkdtemp(join(tmpdir(), 'fixture-'))
  const fixture = join(folder, 'shop.json')
  await writeFile(fixture, '{}')
  await using shop = await startSandbox({ fixture })
  expect(await shop.recording(format)).toContain(' SANDBOX_FIXTURE must name the file of shop.')
  await using starter = await startSandbox()
  expect(await starter.recording(format)).not.toContain('SANDBOX_FIXTURE')
  await rm(folder, { recursive: true })
})
