/** The links of answers: each leads to an operation, with values that the recorded answers have. */
import type { LinkObject, OperationObject, ResponseObject } from 'openapi3-ts/oas31'
import { describe, expect, it } from 'vitest'
import { exampleFiles } from '../../scripts/example-answers.ts'
import { controlRoutes } from '../../src/http/control/routes.ts'
import { controlDocument } from '../../src/openapi/control.ts'
import {
  type AnsweredCall,
  answeredCalls,
  type ExampleAnswers,
} from '../../src/openapi/examples/call.ts'
import controlAnswers from '../../src/openapi/examples/control-answers.json' with { type: 'json' }
import v1Answers from '../../src/openapi/examples/v1-answers.json' with { type: 'json' }
import { v1Document } from '../../src/openapi/v1.ts'
import { memberOf } from '../../src/surface/schema-walk.ts'
import { VERSION } from '../../src/version.ts'

const [v1, control] = exampleFiles
const surfaces = [
  { name: '/v1', ...v1, answers: v1Answers, document: v1Document(VERSION), min: 20 },
  {
    name: 'the control plane',
    ...control,
    answers: controlAnswers,
    document: controlDocument(controlRoutes, VERSION),
    min: 100,
  },
]

/** The value of a runtime expression in a recorded call. */
function valueAt(expression: string, { params, answer }: AnsweredCall): unknown {
  const inPath = /^\$request\.path\.(\w+)$/.exec(expression)?.[1]
  if (inPath !== undefined) return params?.[inPath]
  const pointer = /^\$response\.body#\/(.+)$/.exec(expression)?.[1] ?? ''
  return pointer.split('/').reduce<unknown>(memberOf, answer.body)
}

describe.each(surfaces)('the links of $name', ({ operations, calls, answers, document, min }) => {
  const examples = { calls: calls(answers), answers: answers as ExampleAnswers }
  const links = Object.values(document.paths ?? {})
    .flatMap((item) => Object.values(item) as OperationObject[])
    .flatMap(({ operationId = '', responses }) =>
      Object.entries(responses ?? {}).flatMap(([status, response]) => {
        const found = Object.values((response as ResponseObject).links ?? {}) as LinkObject[]
        return found.map((link) => ({ from: operationId, status, ...link }))
      }),
    )

  it('are many, and lead to operations with these parameters', () => {
    expect(links.length).toBeGreaterThan(min)
    for (const { from, operationId: to, parameters = {} } of links) {
      const target = operations.find(({ operationId }) => operationId === to)
      expect(target?.path, `${from} to ${to}`).toBeDefined()
      for (const name of Object.keys(parameters)) expect(target?.path).toContain(`{${name}}`)
    }
  })

  it('take values that each recorded answer has', () => {
    for (const { from, status, operationId: to, parameters = {} } of links) {
      const shown = answeredCalls(from, examples).filter(
        ({ answer }) => `${answer.status}` === status,
      )
      for (const each of shown) {
        for (const expression of Object.values(parameters)) {
          expect(valueAt(String(expression), each), `${from} to ${to}: ${expression}`).toBeTruthy()
        }
      }
    }
  })
})
