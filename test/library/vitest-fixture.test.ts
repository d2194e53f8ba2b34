/** What `subscription-sandbox/vitest` leaves of tests that do not end as others do. */
import { readdir, readFile, rm } from 'node:fs/promises'
import { expect } from 'vitest'
import { test } from '../../src/vitest.ts'

test.fails('fails, as is expected of it', ({ sandbox }) => {
  expect(sandbox.id).toBe('')
})

test('nothing is left of a test that is expected to fail', async () => {
  const left = await readdir('.sandbox').catch(() => [])
  expect(left.filter((name) => name.includes('as-is-expected-of-it'))).toEqual([])
})

test('a sandbox may be deleted by its test', async ({ sandbox, sandboxServer }) => {
  const path = `${sandbox.url}/sandboxes/${sandbox.id}`
  const { status } = await sandboxServer.fetch(path, { method: 'DELETE' })
  expect(status).toBe(204)
})

let runs = 0
test('passes where it is tried again', { retry: 1 }, async ({ sandbox }) => {
  runs += 1
  await sandbox.clock.to(`2030-01-0${runs}`)
  expect(runs).toBe(2)
})

test('what is left of a test that is tried again is the run that failed', async () => {
  const left = (await readdir('.sandbox')).filter((name) => name.includes('is-tried-again-'))
  expect(left).toHaveLength(1)
  expect(await readFile(`.sandbox/${left[0]}/report.txt`, 'utf8')).toContain('at 2030-01-01')
  await rm(`.sandbox/${left[0]}`, { recursive: true })
})
