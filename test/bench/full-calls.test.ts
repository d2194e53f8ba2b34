import { expect, it } from 'vitest'
import * as z from 'zod'
import {
  declarations,
  operationCalls,
  pageCalls,
  pageRoutes,
} from '../../bench/support/full-calls.ts'
import { controlRoutes } from '../../src/http/control/routes.ts'
import { v1Operations } from '../../src/operations/v1.ts'
import type { Declaration } from '../../src/surface/operation.ts'

const calls = operationCalls(declarations)
const served: readonly Declaration[] = [...v1Operations, ...controlRoutes]

/** An operation that nobody gave an example. */
const unknown: Declaration = {
  ...controlRoutes[0],
  operationId: 'listSomething',
  method: 'get',
  path: '/sandbox/something',
} as Declaration

it('calls every operation in a full sandbox', () => {
  const called = new Set(calls.map(({ operation }) => operation))
  for (const { operationId } of served) {
    expect(called).toContain(operationId)
  }
})

it('calls every operation with each of its filters', () => {
  for (const { operationId, query } of served) {
    const own = calls.filter(({ operation }) => operation === operationId)
    for (const name of Object.keys(query?.shape ?? {})) {
      const filtered = own.filter((call) => name in call.query)
      expect(filtered, `${operationId} by ${name}`).not.toEqual([])
    }
  }
})

it('opens every page, and sends every form', () => {
  const called = new Set(pageCalls(pageRoutes).map(({ operation }) => operation))
  expect(pageRoutes.length).toBeGreaterThan(100)
  expect([...called].sort()).toEqual([...pageRoutes].sort())
})

it('leaves no parameter in the path of a call', () => {
  for (const { path } of [...calls, ...pageCalls(pageRoutes)])
    expect(path).not.toMatch(/[{}:]|\/\//)
})

it('calls a new operation with its filters without being told of it', () => {
  const query = z.strictObject({ status: z.enum(['open', 'shut']).optional() })
  const made = operationCalls([{ ...unknown, query }])
  expect(made.map(({ variant }) => variant)).toEqual(['plain', 'status=open', 'status=shut'])
})

it('fails for what it cannot call', () => {
  const query = z.strictObject({ colour: z.string().optional() })
  expect(() => operationCalls([{ ...unknown, query }])).toThrow('no value for colour')
  const params = z.strictObject({ something_id: z.string() })
  expect(() => operationCalls([{ ...unknown, params }])).toThrow('has no example')
  expect(() => pageCalls(['GET /dashboard/:sandbox/things/:id'])).toThrow('no id of things')
})
