import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { run } from '../support/command-line.ts'
import { temporaryFolder } from '../support/folders.ts'

let place: Awaited<ReturnType<typeof temporaryFolder>>
let folder: string

beforeEach(async () => {
  place = await temporaryFolder()
  folder = join(place.path, 'served')
  await mkdir(folder)
})

afterEach(() => place.remove())

it('saves only to a folder elsewhere that holds nothing', async () => {
  const target = join(place.path, 'saved')
  await mkdir(target)
  await writeFile(join(target, 'mine'), '')
  for (const wrong of [target, folder, join(folder, 'inside'), join(target, 'mine')]) {
    const refused = run(['doctor', '--data', folder, '--save-to', wrong])
    expect(await refused.ended).toBe(2)
    expect(refused.errors()).toContain(`--save-to "${wrong}"`)
    expect(refused.errors()).toContain('it must be a folder elsewhere')
  }
})

it('ends with 3 where there is no folder to look at', async () => {
  const refused = run(['doctor', '--data', join(place.path, 'nowhere')])
  expect(await refused.ended).toBe(3)
  expect(refused.errors()).toContain('nowhere')
})
