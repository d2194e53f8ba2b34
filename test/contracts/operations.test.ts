import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { operationsOf } from '../../src/contracts/comparison/operations.ts'
import { v1Document } from '../../src/openapi/v1.ts'

const text = readFileSync('openapi.yaml', 'utf8')
const lines = text.split('\n')
const document = v1Document('0.1.0') as Parameters<typeof operationsOf>[0]

it.each([
  ['POST', '/v1/subscriptions', '/v1/subscriptions'],
  ['post', '/v1/subscriptions/sub_1/update', '/v1/subscriptions/{subscription_id}/update'],
  ['POST', '/v1/auth/refresh', '/v1/auth/refresh'],
])('finds the operation of %s %s, and its line', (method, path, template) => {
  const found = operationsOf(document, () => text).find(method, path)
  expect(found?.name).toBe(`POST ${template}`)
  const line = found?.line ?? 0
  expect(lines[line - 1]).toBe('    post:')
  expect(lines[line - 2]).toBe(`  ${template}:`)
})

it.each([
  ['GET', '/v1/subscriptions'],
  ['POST', '/v1/subscriptions/'],
  ['POST', '/v1/subscriptions/a/b/update'],
  ['POST', '/v2/subscriptions'],
])('finds none for %s %s', (method, path) => {
  expect(operationsOf(document, () => text).find(method, path)).toBeNull()
})
