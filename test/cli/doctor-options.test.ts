import { mkdir, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { doctor } from '../support/doctor.ts'
import { run, serve, temporaryFolder } from '../support/process.ts'

let place: Awaited<ReturnType<typeof temporaryFolder>>
let folder: string

beforeEach(async () => {
  place = await temporaryFolder()
  folder = join(place.path, 'served')
  await mkdir(folder)
})

afterEach(() => place.remove())

it('looks at a folder that a process has, says which, and leaves it the folder', async () => {
  const sandbox = await serve('--data', folder)
  const { code, report } = await doctor(folder)
  expect(code).toBe(0)
  expect(report.in_use_by).toBe(`process ${sandbox.child.pid} on ${hostname()}`)
  const headers = { 'Content-Type': 'application/json' }
  const request = { method: 'POST', headers, body: '{"customer_id":"still"}' }
  expect((await fetch(`${sandbox.url}/sandbox/customers`, request)).status).toBe(201)
  expect(await sandbox.stop()).toBe(0)
})

it('saves only to a folder elsewhere that holds nothing', async () => {
  const target = join(place.path, 'saved')
  await mkdir(target)
  await writeFile(join(target, 'mine'), '')
  for (const wrong of [target, folder, join(folder, 'pending'), join(target, 'mine')]) {
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
