import type { MediaTypeObject, OperationObject, ParameterObject } from 'openapi3-ts/oas31'
import { describe, expect, it } from 'vitest'
import { answersTo, answerTo, exampleFiles } from '../../scripts/example-answers.ts'
import { controlRoutes } from '../../src/http/control/routes.ts'
import { controlDocument } from '../../src/openapi/control.ts'
import type { ExampleAnswer } from '../../src/openapi/examples/call.ts'
import controlAnswers from '../../src/openapi/examples/control-answers.json' with { type: 'json' }
import v1Answers from '../../src/openapi/examples/v1-answers.json' with { type: 'json' }
import { v1Document } from '../../src/openapi/v1.ts'
import { makeExamples } from '../../src/server/examples.ts'
import type { Declaration, SuccessStatus } from '../../src/surface/operation.ts'
import { VERSION } from '../../src/version.ts'
import { openShop } from '../support/control.ts'

const [v1, control] = exampleFiles
const surfaces = [
  { name: '/v1', ...v1, stored: v1Answers, document: v1Document(VERSION) },
  {
    name: 'the control plane',
    ...control,
    stored: controlAnswers,
    document: controlDocument(controlRoutes, VERSION),
  },
]

describe.each(surfaces)('the examples of $name', ({ operations, calls, stored, document }) => {
  const declarations: readonly Declaration[] = operations
  const drawn = Object.values(document.paths ?? {}).flatMap(
    (item) => Object.values(item) as OperationObject[],
  )

  it('are what a sandbox answers; npm run examples writes them anew', async () => {
    expect(await answersTo(operations, calls)).toEqual(stored)
  }, 300_000)

  it('have every answer that has a body, and every body that is sent', () => {
    expect(drawn).toHaveLength(operations.length)
    for (const { operationId, requestBody, responses } of drawn) {
      const [sent] = contentsOf(requestBody)
      if (sent !== undefined) expect(Object.keys(sent.examples ?? {}), operationId).not.toEqual([])
      const success = Object.entries(responses ?? {}).filter(([status]) => status < '300')
      for (const [, answer] of success) {
        for (const { examples } of contentsOf(answer)) {
          expect(Object.keys(examples ?? {}), operationId).not.toEqual([])
        }
      }
    }
  })

  it('fill in every parameter that must be there, under the names of the answers', () => {
    for (const { operationId = '', parameters = [] } of drawn) {
      const names = Object.keys(calls(stored)[operationId] ?? {})
      expect(names, operationId).not.toEqual([])
      for (const { name, required, examples } of parameters as ParameterObject[]) {
        if (required) expect(Object.keys(examples ?? {}), `${operationId}, ${name}`).toEqual(names)
      }
    }
  })

  it('are what the schemas of their operations accept', () => {
    for (const { operationId, body, replies } of declarations) {
      const answers = calls(stored)[operationId] ?? {}
      for (const [name, call] of Object.entries(answers)) {
        if (call.body !== undefined) body?.schema.parse(call.body)
        const answer = (stored as Record<string, Record<string, ExampleAnswer>>)[operationId]?.[
          name
        ]
        const reply = replies[answer?.status as SuccessStatus]
        const isForPeople = reply?.textTypes?.includes(answer?.textType ?? '')
        if (!isForPeople) reply?.schema?.parse(answer?.body)
      }
    }
  })

  it.each(['in their order', 'in reverse'])('succeed one after the other, %s', async (order) => {
    const shop = await openShop()
    await makeExamples(shop.app, shop.registry)
    const sent = order === 'in reverse' ? declarations.toReversed() : declarations
    for (const declared of sent) {
      for (const call of Object.values(calls(stored)[declared.operationId] ?? {})) {
        await answerTo(shop.app, declared, call)
      }
    }
    // What they change is in sandboxes of their own.
    expect(await shop.get('/sandbox/subscriptions')).toMatchObject({ body: { data: [] } })
  })
})

it('makes the sandboxes anew, whatever became of them', async () => {
  const shop = await openShop()
  await makeExamples(shop.app, shop.registry)
  const stateOf = async () => {
    const headers = { 'Sandbox-Id': 'examples' }
    return (await shop.call('GET', '/sandbox/invoices', { headers })).text
  }
  const before = await stateOf()
  const headers = { 'Sandbox-Id': 'examples' }
  await shop.call('POST', '/sandbox/clock/advance', { headers, json: { by: 'P1Y' } })
  expect(await stateOf()).not.toBe(before)
  await makeExamples(shop.app, shop.registry)
  expect(await stateOf()).toBe(before)
})

function contentsOf(part: unknown): MediaTypeObject[] {
  return Object.values((part as { content?: Record<string, MediaTypeObject> })?.content ?? {})
}
