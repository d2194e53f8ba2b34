/** What `subscription-sandbox/vitest` leaves of tests that do not end as others do. */
import { readdir } from 'node:fs/promises'
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
