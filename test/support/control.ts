/**
 * A whole app over memory, and a way to call it. Every answer is parsed by the schema that its operation declares, so
 * that no test can pass on an answer that the documents do not describe.
 */
import type { Hono } from 'hono'
import { expect } from 'vitest'
import { controlRoutes } from '../../src/http/control/routes.ts'
import { refusalCodesOf } from '../../src/openapi/refusal-codes.ts'
import { v1Operations } from '../../src/operations/v1.ts'
import { type FixtureLibrary, loadFixtures } from '../../src/sandbox/fixtures.ts'
import { Registry } from '../../src/sandbox/registry.ts'
import { type RealTime, realTime } from '../../src/sandbox/running-clock.ts'
import type { SandboxOptions, SandboxOrder } from '../../src/sandbox/sandbox-types.ts'
import { createApp } from '../../src/server/app.ts'
import { memoryStore } from '../../src/store/memory-store.ts'
import type { Store } from '../../src/store/store.ts'
import type { Declaration, SuccessStatus } from '../../src/surface/operation.ts'
import { orThrow } from '../../src/surface/refusals.ts'
import type { Code } from '../../src/wire/common/error-codes.ts'
import { HalProblem, WireError, WireProblem } from '../../src/wire/common/errors.ts'
import { checkStated } from './stated.ts'

export interface Answer<Body> {
  readonly status: number
  readonly body: Body
  readonly text: string
  readonly headers: Headers
}

/** What a call sends beside its path: a value as JSON, or bytes as they are. */
export interface Sent {
  readonly json?: unknown
  readonly bytes?: string | Uint8Array<ArrayBuffer>
  readonly headers?: Readonly<Record<string, string>>
}

type Call = <Body = unknown>(method: string, path: string, sent?: Sent) => Promise<Answer<Body>>

export interface Shop {
  readonly app: Hono
  readonly registry: Registry
  /** What was logged: every line is a defect. */
  readonly log: readonly string[]
  readonly call: Call
  readonly get: <Body = unknown>(path: string) => Promise<Answer<Body>>
  readonly post: <Body = unknown>(path: string, json?: unknown) => Promise<Answer<Body>>
  /** The whole state, as bytes. */
  readonly state: () => Promise<string>
}

/** The fixtures that come with the product. */
const shipped: FixtureLibrary = await loadFixtures()

/** An app of its own, with one sandbox; over memory unless told otherwise. */
export async function openShop(
  initial: Partial<SandboxOrder> = {},
  sandboxesMax = 10,
  {
    store = memoryStore(),
    time = realTime,
    webhooks = {},
    fixtures = shipped,
  }: {
    store?: Store
    time?: RealTime
    webhooks?: SandboxOptions['webhooks']
    fixtures?: FixtureLibrary
  } = {},
): Promise<Shop> {
  const log: string[] = []
  const registry = orThrow(
    await Registry.open(
      {
        store,
        fixtures,
        sandboxesMax,
        time,
        webhooks,
        report: (defect) => log.push(String(defect)),
      },
      { fixture: 'starter', now: null, startsRunning: false, settings: {}, from: null, ...initial },
    ),
  )
  const app = createApp(registry, (line) => log.push(line))
  return shopAt(app, { registry, log, sandboxId: null })
}

/** The same app, seen as somebody sees it who works with another sandbox. */
export function inSandbox(shop: Shop, sandboxId: string): Shop {
  return shopAt(shop.app, { registry: shop.registry, log: shop.log, sandboxId })
}

function shopAt(
  app: Hono,
  { registry, log, sandboxId }: Pick<Shop, 'registry' | 'log'> & { sandboxId: string | null },
): Shop {
  const own: Record<string, string> = sandboxId === null ? {} : { 'Sandbox-Id': sandboxId }
  const call: Call = async <Body>(method: string, path: string, sent: Sent = {}) => {
    const body = sent.json === undefined ? sent.bytes : JSON.stringify(sent.json)
    const response = await app.request(path, {
      method,
      headers: {
        ...own,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...sent.headers,
      },
      ...(body === undefined ? {} : { body }),
    })
    return checked<Body>(method, path, response)
  }
  return {
    app,
    registry,
    log,
    call,
    get: (path) => call('GET', path),
    post: (path, json) => call('POST', path, json === undefined ? {} : { json }),
    state: async () => (await call('GET', '/sandbox/state')).text,
  }
}

/** An answer that keeps to the documents. */
export async function checked<Body>(
  method: string,
  sentTo: string,
  response: Response,
): Promise<Answer<Body>> {
  // At the base address of a sandbox the same operations answer.
  const path = sentTo
    .replace(/^\/sandboxes\/[^/]+(?=\/v1\/)/, '')
    .replace(/^\/sandboxes\/[^/]+(?=\/provider-states)/, '/sandbox')
  const { status, headers } = response
  const text = await response.text()
  for (const name of ['Sandbox-Id', 'Sandbox-Time', 'Sandbox-Version', 'Request-Id']) {
    expect(headers.get(name), `${name} of ${method} ${path}`).toBeTruthy()
  }
  const [type = ''] = headers.get('Content-Type')?.split(';') ?? []
  const isText = type.startsWith('text/')
  const body: unknown = isText ? text : JSON.parse(text || 'null')
  const declared = declarationOf(method, path)
  if (status >= 400) checkRefusal(path, headers, body)
  else if (declared === undefined) throw new Error(`Nothing is declared for ${method} ${path}`)
  else if (isText) checkText(declared, status as SuccessStatus, type)
  else checkReply(declared, status as SuccessStatus, body)
  if (declared !== undefined) checkDeclared(declared, headers, status >= 400 ? body : null)
  return { status, headers, text, body: body as Body }
}

/** A refusal has a code that its operation declares, and an answer on /v1 rests on what its document states. */
function checkDeclared(declared: Declaration, headers: Headers, refusal: unknown): void {
  const { error, code = error ?? null } = (refusal ?? {}) as { error?: Code; code?: Code }
  if (code !== null) {
    expect(refusalCodesOf(declared), `codes of ${declared.operationId}`).toContain(code)
  }
  if (declared.path.startsWith('/v1')) checkStated(declared, { headers, code })
}

function checkReply(declared: Declaration, status: SuccessStatus, body: unknown): void {
  const reply = declared.replies[status]
  expect(reply, `${declared.operationId} answering ${status}`).toBeDefined()
  if (reply?.schema) reply.schema.parse(body)
  else expect(body).toBeNull()
}

function checkText(
  { replies, operationId }: Declaration,
  status: SuccessStatus,
  type: string,
): void {
  const { mediaType, textTypes = [] } = replies[status] ?? {}
  expect([mediaType, ...textTypes], `types of ${operationId}`).toContain(type)
}

/** A full stop, or the question about a name that the list of names, said once, does not follow. */
const SENTENCE_END = /[.]$|; did you mean [\w.]+[?]$/

function checkRefusal(path: string, headers: Headers, body: unknown): void {
  if (path.startsWith('/v1')) {
    WireError.parse(body)
    expect(headers.get('Content-Type')).toBe('application/json')
    return
  }
  if (headers.get('Content-Type') === 'application/hal+json') {
    for (const sentence of HalProblem.parse(body).errors) expect(sentence).toMatch(SENTENCE_END)
    return
  }
  const { detail, errors = [] } = WireProblem.parse(body)
  expect(headers.get('Content-Type')).toBe('application/problem+json')
  expect(detail).toMatch(SENTENCE_END)
  for (const { message } of errors) expect(message).toMatch(SENTENCE_END)
}

/** The operation that serves a path, where there is one; the one with the fewest parameters, where two would fit. */
function declarationOf(method: string, path: string): Declaration | undefined {
  const [bare = ''] = path.split('?')
  const fits = [...v1Operations, ...controlRoutes].filter(
    (each: Declaration) =>
      each.method === method.toLowerCase() &&
      new RegExp(`^${each.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(bare),
  )
  return fits.sort((one, other) => (one.path < other.path ? -1 : 1))[0]
}
