/**
 * What is called of a full sandbox: every operation with its examples and with each of its filters, and every route of
 * the dashboard. Derived from the declarations, so that a new one is in it; throws for one that it cannot call.
 */
import * as z from 'zod'
import { dashboard } from '../../src/dashboard/app.tsx'
import { controlRoutes } from '../../src/http/control/routes.ts'
import {
  EXAMPLE_REFRESH_TOKEN,
  type ExampleCall,
  type ExampleCalls,
  exampleSandboxes,
} from '../../src/openapi/examples/call.ts'
import controlAnswers from '../../src/openapi/examples/control-answers.json' with { type: 'json' }
import { controlCalls } from '../../src/openapi/examples/control-calls.ts'
import { v1Calls } from '../../src/openapi/examples/v1-calls.ts'
import { v1Operations } from '../../src/operations/v1.ts'
import { apiKeyOf } from '../../src/sandbox/sandbox-types.ts'
import { documentRoutes, healthRoutes } from '../../src/server/documents.ts'
import type { Declaration } from '../../src/surface/operation.ts'
import { unwrap } from '../../src/surface/schema-walk.ts'

/** One call. */
export interface FullCall {
  /** The id of the operation, or the route of the page. */
  readonly operation: string
  /** What it is called with: the name of an example, or a filter. */
  readonly variant: string
  readonly sandbox: string
  readonly method: string
  readonly path: string
  readonly query: Query
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

type Query = Readonly<Record<string, string | number | readonly string[]>>

/** Stands for the last cursor of a list. */
export const LAST = '~last'

const { main, fork, old } = exampleSandboxes

export const declarations: readonly Declaration[] = [
  ...v1Operations,
  ...controlRoutes,
  ...healthRoutes({ storeFailure: () => Promise.resolve(null) }),
  ...documentRoutes,
]

const examples: ExampleCalls = { ...v1Calls(), ...controlCalls(controlAnswers) }

/** The routes of the dashboard, as method and path. */
export const pageRoutes: readonly string[] = [
  ...new Set(
    dashboard({ answer: () => new Response(), controlToken: null })
      .routes.filter(({ method }) => method !== 'ALL')
      .map(({ method, path }) => `${method} ${path}`),
  ),
]

/** Every call of every operation. */
export function operationCalls(operations: readonly Declaration[]): FullCall[] {
  return operations.flatMap((operation) => {
    const own = Object.entries(examplesOf(operation))
    const filters = filtersOf(operation)
    const [, first = {}] = own[0] ?? []
    return [
      ...own.map(([name, call]) => callOf(operation, name, call)),
      ...filters.map(({ variant, query }) =>
        callOf(operation, variant, { ...first, query, body: bodyBeside(first.body, query) }),
      ),
    ]
  })
}

/** Every page, with each filter of the list of the same name, and every form, sent empty. */
export function pageCalls(routes: readonly string[]): FullCall[] {
  return routes.flatMap((route) => {
    const [method = '', pattern = ''] = route.split(' ')
    const sandbox = method === 'GET' ? main : fork
    const path = pattern
      .replace(':sandbox', sandbox)
      .replace(/([a-z-]+)\/:(?:id|name)/, (_, kind) => `${kind}/${idOf(kind)}`)
    const list = declarations.find((each) => each.path === pattern.replace(/^.*:/, '/'))
    const filters = list === undefined || method !== 'GET' ? [] : filtersOf(list)
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const page = { operation: route, sandbox, method, path, query: {} }
    const sent = method === 'GET' ? { headers: {}, body: null } : { headers: form, body: '' }
    return [
      { ...page, ...sent, variant: method === 'GET' ? '' : 'empty form' },
      ...filters.map(({ variant, query }) => ({ ...page, ...sent, variant, query })),
    ]
  })
}

/** A body without what the query says already. */
function bodyBeside(body: unknown, query: Query): unknown {
  if (typeof body !== 'object' || body === null) return body
  return Object.fromEntries(Object.entries(body).filter(([name]) => !(name in query)))
}

function examplesOf(operation: Declaration): Readonly<Record<string, ExampleCall>> {
  const own = examples[operation.operationId]
  if (own !== undefined) return own
  if (operation.params === undefined && operation.body === undefined) return { plain: {} }
  throw new Error(`${operation.operationId} has no example to be called with`)
}

function callOf(operation: Declaration, variant: string, call: ExampleCall): FullCall {
  const { operationId, method, path, security } = operation
  const { params = {}, query = {}, body } = call
  const sandbox = call.sandbox ?? main
  const credential = security === 'refresh_token' ? EXAMPLE_REFRESH_TOKEN : apiKeyOf(main)
  return {
    operation: operationId,
    variant,
    sandbox,
    method: method.toUpperCase(),
    path: path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name] ?? '')),
    query,
    headers: {
      ...(security === 'none'
        ? { 'Sandbox-Id': sandbox }
        : { Authorization: `Bearer ${credential}` }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  }
}

interface Filter {
  readonly variant: string
  readonly query: Query
}

/** A query for each value of each parameter, beside those that the operation requires, and for the longest page. */
function filtersOf(operation: Declaration): Filter[] {
  const fields = Object.entries(operation.query?.shape ?? {}) as [string, z.ZodType][]
  const [example] = Object.values(examplesOf(operation))
  const required = fields
    .filter(([, schema]) => !schema.safeParse(undefined).success)
    .map(([name]) => [name, example?.query?.[name] ?? ''] as const)
  const longest = fields.some(([name]) => name === 'limit') ? { limit: LIMIT } : {}
  return fields.flatMap(([name, schema]) =>
    valuesOf(operation, name, schema).map((value) => ({
      variant: `${name}=${value}`,
      query: { ...Object.fromEntries(required), ...longest, ...ownerOf(name), [name]: value },
    })),
  )
}

/** A version that a broker ignores needs its pacticipant beside it. */
function ownerOf(name: string): Query {
  return name === 'ignore[][version]' ? { 'ignore[][pacticipant]': 'web-shop' } : {}
}

const LIMIT = 1000

/** What filters look for: much of it is there. */
const sought: Readonly<Record<string, readonly (string | number)[]>> = {
  limit: [LIMIT],
  customer_id: ['cus_ada', 'cus_linus'],
  subscription_id: ['sub_000001', 'sub_000009'],
  subject_id: ['sub_000009'],
  operation_id: ['pauseSubscription'],
  status: [404],
  consumer: ['dashboard'],
  // Many, and none.
  search: ['ada', 'nobody has this'],
  webhook_id: ['wh_000001'],
  before: ['2027-02-01'],
  until: ['2028-01-01'],
  for: ['P1Y'],
  state: ['a subscription exists'],
}

/** What stands for texts of a broker, whose names say which they are. */
const soughtInBroker: Readonly<Record<string, string>> = {
  pacticipant: 'web-shop',
  version: '1.0.0',
  tag: 'production',
  branch: 'main',
  latest: 'true',
  mainBranch: 'true',
  environment: '',
}

function valuesOf(
  operation: Declaration,
  name: string,
  schema: z.ZodType,
): readonly (string | number)[] {
  const bare = unwrap(schema)
  const options = optionsIn(bare)
  if (options.length > 0) return options
  if (name === 'after') return bare instanceof z.ZodNumber ? [1] : [LAST]
  if (name.startsWith('min_')) return [50]
  const [, inBroker = name] = /\[\]\[(\w+)\]$/.exec(name) ?? []
  const found = sought[name] ?? [soughtInBroker[inBroker]].filter((each) => each !== undefined)
  if (found.length === 0) {
    throw new Error(`The bench has no value for ${name} of ${operation.operationId}`)
  }
  return found
}

/** The values of a schema that lists them. */
function optionsIn(schema: z.ZodType): readonly string[] {
  const bare = unwrap(schema)
  if (bare instanceof z.ZodEnum) return bare.options.map(String)
  if (bare instanceof z.ZodBoolean) return ['true', 'false']
  if (bare instanceof z.ZodLiteral) return [...bare.values].map(String)
  if (bare instanceof z.ZodUnion)
    return bare.options.flatMap((each) => optionsIn(each as z.ZodType))
  return []
}

/** Ids of pages for what no operation retrieves, and of the sandbox that may be deleted. */
const idsOnPages: Readonly<Record<string, string>> = {
  tokens: 'fam_000002',
  requests: 'req_000010',
  sandboxes: old,
  // A checkpoint of the dashboard, or the page that says that there is none.
  undo: `auto-${'0'.repeat(32)}`,
}

/** The id that the example of an operation on one record of a kind has. */
function idOf(kind: string): string {
  const one = controlRoutes.find(({ path, method }) => {
    return method === 'get' && new RegExp(`/${kind}/\\{\\w+\\}$`).test(path)
  })
  const [example] = Object.values(examples[one?.operationId ?? ''] ?? {})
  const [id] = Object.values(example?.params ?? {})
  const known = idsOnPages[kind] ?? id
  if (known === undefined) throw new Error(`The bench knows no id of ${kind} for the pages of one`)
  return known
}
