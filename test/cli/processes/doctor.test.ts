import { hostname } from 'node:os'
import { expect, it } from 'vitest'
import { doctor } from '../../support/doctor.ts'
import { temporaryFolder } from '../../support/folders.ts'
import { serve } from '../../support/process.ts'

it('looks at a folder that a process has, says which, and leaves it the folder', async () => {
  const { path: folder, remove } = await temporaryFolder()
  const sandbox = await serve('--data', folder)
  const { code, report } = await doctor(folder)
  expect(code).toBe(0)
  expect(report.in_use_by).toBe(`process ${sandbox.child.pid} on ${hostname()}`)
  const headers = { 'Content-Type': 'application/json' }
  const request = { method: 'POST', headers, body: '{"customer_id":"still"}' }
  expect((await fetch(`${sandbox.url}/sandbox/customers`, request)).status).toBe(201)
  expect(await sandbox.stop()).toBe(0)
  await remove()
})
