/** What a recorded pact expects of an answer: what the interface shows, or all that was answered. */
import * as z from 'zod'
import { jsonIn } from '../../contracts/common/json.ts'
import { v1Operations } from '../../operations/v1.ts'
import { mapValues } from '../../surface/schema-book.ts'
import { fieldsOf, metaOf } from '../../surface/schema-walk.ts'
import type { CallInput, CapturedCall } from './captured-call.ts'

/** How much is expected: what the interface shows, or also what the sandbox assumes. */
export type Expecting = 'documented' | 'assumed'

type Fields = Readonly<Record<string, unknown>>

/**
 * Values that differ from run to run, by the name of their field, as a pact has them: so the same tests write
 * the same pact.
 */
export const examples: Readonly<Record<string, string>> = {
  api_key: 'sk_sandbox_default',
  subscription_id: 'sub_example',
  customer_id: 'cus_example',
  access_token: 'an-example-access-token',
  refresh_token: 'an-example-refresh-token',
  message: 'A sentence that says why.',
}

const INSTANT = String.raw`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$`
const SOME_INSTANT = '2027-01-01T00:00:00.000Z'

/** The statuses that the interface shows for the errors of a refresh; which code has which, it does not say. */
const REFUSED = [400, 401, 403]

/** What the status of an answer is matched by that rests on an assumption. */
const openStatuses: Readonly<Record<string, unknown>> = {
  'success-status': 'success',
  'refresh-error-statuses': REFUSED,
  'invalid-grant-status': REFUSED,
}

/** Fields whose very value the interface shows. */
const constants = ['error', 'token_type']

/** An answer with values in place of those that differ from run to run; a text where it is no JSON. */
export function normalizeAnswer(answer: string): unknown {
  const json = jsonIn(answer)
  return json === undefined ? answer : normalizeField('', json)
}

function normalizeField(name: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => normalizeField(name, each))
  if (typeof value === 'object' && value !== null) {
    return mapValues(value, (each, key) => normalizeField(key, each))
  }
  if (typeof value !== 'string') return value
  return examples[name] ?? (new RegExp(INSTANT).test(value) ? SOME_INSTANT : value)
}

/** The response of a pact; null where the interface shows nothing of this answer. */
export function expectationOf(
  call: CapturedCall,
  asked: CallInput,
  extent: Expecting,
): object | null {
  const { status, answer, assumptions } = call
  const whole = normalizeAnswer(answer ?? '')
  const body = extent === 'assumed' ? whole : documentedFields(whole, call, asked)
  if (body === null) return null
  const open = Object.keys(openStatuses).find((slug) => assumptions.has(slug))
  const isOpen = open !== undefined && extent === 'documented'
  const rules = rulesFor('$', body)
  return {
    status,
    headers: { 'Content-Type': ['application/json'] },
    body: { content: body, contentType: 'application/json', encoded: false },
    matchingRules: {
      ...(rules.length > 0 && { body: Object.fromEntries(rules) }),
      ...(isOpen && { status: { $: all({ match: 'statusCode', status: openStatuses[open] }) } }),
    },
  }
}

/** The fields of an answer that the interface shows, and promises or was asked for; null where it shows no such answer. */
function documentedFields(
  body: unknown,
  { status, assumptions }: CapturedCall,
  asked: CallInput,
): Fields | null {
  if (assumptions.has('error-envelope')) return null
  if (status === null || status >= 400) return body as Fields
  const operation = v1Operations.find(({ operationId }) => operationId === asked.operation)
  const fields = fieldsOf(operation?.replies[200]?.schema ?? z.object({}))
  const shown = [...fields].filter(([name, schema]) => {
    const { source = '', presence } = metaOf(schema)
    if (!/^\d$/.test(source) || schema.safeParse(undefined).success) return false
    return presence === undefined || name in (asked.fields ?? {})
  })
  return Object.fromEntries(shown.map(([name]) => [name, (body as Fields)[name]]))
}

export const all = (...matchers: object[]) => ({ combine: 'AND', matchers })

/** The rules for each value below a path: by type, but for constants and for null. */
function rulesFor(path: string, value: unknown): [path: string, rule: object][] {
  if (value === null) return []
  if (Array.isArray(value)) return value.flatMap((each, at) => rulesFor(`${path}[${at}]`, each))
  if (typeof value === 'object') {
    const typed = Object.entries(value).filter(([name]) => !constants.includes(name))
    return typed.flatMap(([name, each]) => rulesFor(`${path}.${name}`, each))
  }
  if (value === SOME_INSTANT) return [[path, all({ match: 'regex', regex: INSTANT })]]
  if (typeof value !== 'number') return [[path, all({ match: 'type' })]]
  return [[path, all({ match: Number.isInteger(value) ? 'integer' : 'number' })]]
}
