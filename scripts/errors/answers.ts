/** What the calls of the table of errors are answered, each by a real server that was just started. */
import { isDeepStrictEqual } from 'node:util'
import { USUAL_ADDRESS } from '../../src/openapi/common.ts'
import type { RecordedError } from '../../src/openapi/errors/examples.ts'
import type { ExampleCall } from '../../src/openapi/examples/call.ts'
import controlAnswers from '../../src/openapi/examples/control-answers.json' with { type: 'json' }
import { controlCalls } from '../../src/openapi/examples/control-calls.ts'
import { v1Calls } from '../../src/openapi/examples/v1-calls.ts'
import { refusalCodesOf } from '../../src/openapi/refusal-codes.ts'
import { start } from '../../src/server/start.ts'
import type { Declaration } from '../../src/surface/operation.ts'
import type { Code } from '../../src/wire/common/error-codes.ts'
import { addressOf } from '../example-answers.ts'
import { makeCalls, sendCall } from './calls.ts'
import { operationOf, operations } from './catalogue.ts'
import { conditions, type Opened } from './conditions.ts'
import type { ErrorCall, ErrorRow, Provocation } from './row.ts'
import { errorTable } from './table.ts'

/** Every code of the table. */
export const codes = Object.keys(errorTable) as Code[]

/** Records what every operation that can be refused with a code answers; those that answer the same, together. */
export async function answersOf(code: Code): Promise<readonly RecordedError[]> {
  const found: (RecordedError & { readonly operations: string[] })[] = []
  const inCondition = await conditions[code]?.()
  const servers = new Map<string, Opened>()
  for (const [operation, calls] of provocationsOf(code)) {
    const last = calls.at(-1) as ErrorCall
    const before = calls.slice(0, -1)
    // A refusal changes nothing, so that calls after the same ones go to the same server.
    const key = JSON.stringify([before, last.isGuarded])
    const opened = inCondition ?? servers.get(key) ?? (await openServer(last))
    if (inCondition !== undefined || !servers.has(key)) await makeCalls(opened.url, before)
    servers.set(key, opened)
    const answer = await refusalOf(code, opened, last)
    const same = found.find(({ operations: _, ...other }) => isDeepStrictEqual(other, answer))
    if (same === undefined) found.push({ operations: [operation], ...answer })
    else same.operations.push(operation)
  }
  for (const opened of new Set(servers.values())) await opened.close()
  return found
}

/** The calls that provoke a code, by operation: of every operation that can be refused with it. */
function provocationsOf(code: Code): ReadonlyMap<string, Provocation> {
  const { provocations, elsewhere }: ErrorRow = errorTable[code]
  const found = new Map(provocations.map((calls) => [operationOf(calls), calls]))
  if (found.size < provocations.length) throw new Error(`An operation provokes ${code} twice`)
  for (const declared of operations) {
    const { operationId } = declared
    if (found.has(operationId) || !refusalCodesOf(declared).has(code)) continue
    if (elsewhere === undefined) throw new Error(`Nothing provokes ${code} at ${operationId}`)
    found.set(operationId, [elsewhere(exampleCall(declared), declared)])
  }
  return found
}

const examples = { ...v1Calls(), ...controlCalls(controlAnswers) }

/** The first example of an operation, in the default sandbox. */
function exampleCall(declared: Declaration): ErrorCall {
  const [example = {}] = Object.values(examples[declared.operationId] ?? {}) as ExampleCall[]
  const { pathname, search } = new URL(addressOf(declared, example))
  const isOpen = declared.security === 'none'
  return {
    method: declared.method.toUpperCase() as ErrorCall['method'],
    path: `${pathname}${search}`,
    ...(!isOpen && { headers: { Authorization: 'Bearer sk_sandbox_default' } }),
    ...(example.body !== undefined && { body: JSON.stringify(example.body) }),
  }
}

/** A server with a sandbox that was just made. */
export async function openServer(of: Pick<ErrorCall, 'isGuarded'> = {}): Promise<Opened> {
  const controlToken = of.isGuarded ? 'a-control-token' : null
  const { url, close } = await start({ log: () => undefined, controlToken })
  return { url, close }
}

async function refusalOf(code: Code, opened: Opened, sent: ErrorCall) {
  const { status, body } = await (opened.send ?? sendCall)(opened.url, sent)
  const answer = { status, body: JSON.parse(recordable(body, opened)) }
  const found = answer.body.code ?? answer.body.error
  if (found !== code) throw new Error(`${sent.method} ${sent.path} is no ${code}: ${body}`)
  return answer
}

/** A text without what differs from one machine to another. */
export function recordable(body: string, { url, places = {} }: Opened): string {
  const ofMachine = { [new URL(url).host]: new URL(USUAL_ADDRESS).host, ...places }
  const found = body.replace(/\breq_\d+/g, 'req_000001')
  return Object.entries(ofMachine).reduce(
    (left, [own, usual]) => left.replaceAll(own, usual),
    found,
  )
}
