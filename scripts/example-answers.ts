/** What the examples of both documents are answered: each by an app that has just made what they name. */
import { controlRoutes } from '../src/http/control/routes.ts'
import { USUAL_ADDRESS } from '../src/openapi/common.ts'
import {
  EXAMPLE_REFRESH_TOKEN,
  type ExampleAnswer,
  type ExampleAnswers,
  type ExampleCall,
  type ExampleCalls,
  exampleSandboxes,
} from '../src/openapi/examples/call.ts'
import { controlCalls } from '../src/openapi/examples/control-calls.ts'
import { v1Calls } from '../src/openapi/examples/v1-calls.ts'
import { v1Operations } from '../src/operations/v1.ts'
import { Registry } from '../src/sandbox/registry.ts'
import { realTime } from '../src/sandbox/running-clock.ts'
import { apiKeyOf } from '../src/sandbox/sandbox-types.ts'
import { createApp } from '../src/server/app.ts'
import { makeExamples, type RequestHandler } from '../src/server/examples.ts'
import { memoryStore } from '../src/store/memory-store.ts'
import { type Declaration, mediaTypes } from '../src/surface/operation.ts'
import { orThrow } from '../src/surface/refusals.ts'
import { shippedFixtures } from './shipped-fixtures.ts'

/** The operations and calls of each document, and the file that holds the answers. */
export const exampleFiles = [
  { file: 'v1-answers.json', operations: v1Operations, calls: v1Calls },
  { file: 'control-answers.json', operations: controlRoutes, calls: controlCalls },
] as const

/** Calls every operation with each of its examples; the answers in the order of the operations. */
export async function answersTo(
  operations: readonly Declaration[],
  calls: (answers: ExampleAnswers) => ExampleCalls,
): Promise<ExampleAnswers> {
  const answers: Record<string, Record<string, ExampleAnswer>> = {}
  for (const declared of operations) {
    const own: Record<string, ExampleAnswer> = {}
    for (const [name, call] of Object.entries(calls(answers)[declared.operationId] ?? {})) {
      own[name] = await answerTo(await openApp(), declared, call)
    }
    answers[declared.operationId] = own
  }
  return answers
}

/** An app of its own, with nothing but the sandboxes of the examples beside the default one. */
export async function openApp(): Promise<RequestHandler> {
  const report = (defect: unknown) => {
    throw defect
  }
  const registry = orThrow<Registry>(
    await Registry.open(
      {
        store: memoryStore(),
        fixtures: await fixtures,
        sandboxesMax: 10,
        time: realTime,
        report,
      },
      { fixture: null, now: null, startsRunning: false, settings: {}, from: null },
    ),
  )
  const app = createApp(registry, report)
  await makeExamples(app, registry)
  return app
}

const fixtures = shippedFixtures()

/** Sends one example. Throws where it does not succeed. */
export async function answerTo(
  app: RequestHandler,
  declared: Declaration,
  call: ExampleCall,
): Promise<ExampleAnswer> {
  const answer = await app.request(addressOf(declared, call), requestOf(declared, call))
  const text = withoutChance(await answer.text())
  if (!answer.ok) throw new Error(`${declared.operationId} is refused: ${text}`)
  const [type = ''] = answer.headers.get('Content-Type')?.split(';') ?? []
  const location = answer.headers.get('Location')
  const made = location === null ? {} : { location }
  if (type.includes('json')) return { status: answer.status, ...made, body: JSON.parse(text) }
  const textType = type === '' ? {} : { textType: type }
  return { status: answer.status, ...made, ...textType, body: text || null }
}

/** Where an example goes. */
export function addressOf({ path }: Declaration, { params = {}, query = {} }: ExampleCall): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name] ?? ''))
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((each): [string, string] => [name, String(each)]),
  )
  const search = pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
  return `${USUAL_ADDRESS}${filled}${search}`
}

function requestOf({ method, security }: Declaration, { sandbox, body }: ExampleCall): RequestInit {
  const { main } = exampleSandboxes
  const credential = security === 'refresh_token' ? EXAMPLE_REFRESH_TOKEN : apiKeyOf(main)
  const ofControl = security === 'none' ? { 'Sandbox-Id': sandbox ?? main } : null
  const headers = ofControl ?? { Authorization: `Bearer ${credential}` }
  const sent = { method: method.toUpperCase() }
  if (body === undefined) return { ...sent, headers }
  const typed = { ...headers, 'Content-Type': mediaTypes.json }
  return { ...sent, headers: typed, body: JSON.stringify(body) }
}

/** A text in which every token that was made up reads the same each time, every duration, and every real time. */
function withoutChance(text: string): string {
  const timed = text
    .replace(/"duration_ms":[\d.e-]+/g, '"duration_ms":0.4')
    .replace(/"answered_at":"[^"]*"/g, '"answered_at":"2026-01-05T09:30:00.000Z"')
  return timed.replace(/\b([ar]t_[a-z-]+_)[\w-]{43}/g, (token, kind) =>
    token === EXAMPLE_REFRESH_TOKEN ? token : `${kind}${'made-up'.padEnd(43, '-made-up')}`,
  )
}
