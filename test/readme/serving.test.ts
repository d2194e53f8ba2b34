/** What docs/serving.md tells the owner of a damaged folder to type gives back what can be saved. */
import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { live } from '../support/doctor.ts'
import { commandIn } from '../support/fences.ts'
import { temporaryFolder } from '../support/folders.ts'
import { runProgram, served } from '../support/process.ts'

it('saves what stands before the damage, and serves it', async () => {
  const place = await temporaryFolder()
  await live(join(place.path, 'data'))
  const journal = join(place.path, 'data/sandboxes/default/journal-000001.ndjson')
  await writeFile(journal, (await readFile(journal, 'utf8')).replace('made-13', 'made-31'))
  const command = await commandIn('docs/serving.md', 'npx subscription-sandbox doctor')
  const [look = '', save = '', serve = '', ...more] = command.split('\n')
  expect(more).toEqual([])
  const type = (line: string) => {
    const typed = line.replace(
      'npx subscription-sandbox',
      `exec node ${resolve('dist/cli/main.js')}`,
    )
    return runProgram(['sh', '-c', typed], {}, place.path)
  }

  const looked = type(look)
  expect([await looked.ended, looked.output()]).toEqual([
    1,
    expect.stringContaining(':13 does not match'),
  ])
  const saved = type(save)
  expect([await saved.ended, saved.output()]).toEqual([1, expect.stringContaining('saved')])
  const sandbox = await served(type(`${serve} --port 0`))
  const statusOf = async (id: string) =>
    (await fetch(`${sandbox.url}/sandbox/customers/${id}`)).status
  expect([await statusOf('made-12'), await statusOf('made-13')]).toEqual([200, 404])
  expect(await sandbox.stop()).toBe(0)
  await place.remove()
})
