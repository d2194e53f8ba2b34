/**
 * The requests of the pacts. What only a provider can know (the identifiers it gives, its keys and tokens) is marked
 * for the provider state to fill in; where it does not, the value written here is sent.
 */
import { MatchersV3, type V3Request } from '@pact-foundation/pact'
import { ACCESS_TOKEN, API_KEY, CUSTOMER, REFRESH_TOKEN, SUBSCRIPTION } from './states.ts'

const FORM = 'application/x-www-form-urlencoded'
const JSON_TYPE = 'application/json'
const BEARER = '^Bearer \\S+$'

type Operation = 'update' | 'pause' | 'cancel' | 'apply-coupon'

type Written = (value: string) => string
const itself: Written = (value) => value
const bearer: Written = (secret) => `Bearer ${secret}`

/** A text around what the provider state answers under a name; around `example` where it answers nothing. */
function filledIn(pattern: string, [name, example]: [string, string], written = itself) {
  return {
    ...MatchersV3.fromProviderState(written(`\${${name}}`), written(example)),
    'pact:matcher:type': 'regex',
    regex: pattern,
  }
}

const withKey = { Authorization: filledIn(BEARER, ['api_key', API_KEY], bearer) }

/** The customer, by the identifier that the provider gave. */
export const theCustomer = filledIn('^\\S+$', ['customer_id', CUSTOMER])

function pathOf(operation: Operation) {
  const path: Written = (id) => `/v1/subscriptions/${id}/${operation}`
  return filledIn(`^${path('[^/]+')}$`, ['subscription_id', SUBSCRIPTION], path)
}

const post = (
  path: V3Request['path'],
  headers: V3Request['headers'],
  body?: unknown,
): V3Request => ({
  method: 'POST',
  path,
  ...(headers === undefined ? {} : { headers }),
  ...(body === undefined ? {} : { body }),
})

/** Creation, or what differs from it, as a form. */
export const createForm = (fields: Record<string, unknown>): V3Request =>
  post('/v1/subscriptions', { ...withKey, 'Content-Type': FORM }, fields)

/** Creation as JSON. */
export const createJson = (fields: Record<string, unknown>): V3Request =>
  post('/v1/subscriptions', { ...withKey, 'Content-Type': JSON_TYPE }, fields)

/** An operation on the subscription, as a form; without fields it has no body. */
export const onIt = (operation: Operation, fields?: Record<string, string>): V3Request =>
  fields === undefined
    ? post(pathOf(operation), withKey)
    : post(pathOf(operation), { ...withKey, 'Content-Type': FORM }, fields)

/** An operation on the subscription, as JSON. */
export const onItJson = (operation: Operation, fields: Record<string, unknown>): V3Request =>
  post(pathOf(operation), { ...withKey, 'Content-Type': JSON_TYPE }, fields)

/** An operation on a subscription that the provider does not have. */
export const onNone = (operation: Operation, fields?: Record<string, string>): V3Request => ({
  ...onIt(operation, fields),
  path: `/v1/subscriptions/sub_nowhere/${operation}`,
})

/** The same request, opened by an access token that the provider state answers. */
export function withAccessToken({ headers, ...request }: V3Request): V3Request {
  const Authorization = filledIn(BEARER, ['access_token', ACCESS_TOKEN], bearer)
  return { ...request, headers: { ...headers, Authorization } }
}

const token: [string, string] = ['refresh_token', REFRESH_TOKEN]
const withToken = { Authorization: filledIn(BEARER, token, bearer) }
const theToken = { refresh_token: filledIn('^\\S+$', token) }

/** What a refresh can send instead of what is asked for. */
export interface RefreshDeviation {
  /** The whole header; null sends none. */
  readonly authorization?: string | null
  readonly body?: Readonly<Record<string, unknown>>
}

/** A refresh, with the token in header and body unless told otherwise. */
export function refreshOf({ authorization, body = theToken }: RefreshDeviation = {}): V3Request {
  const own = typeof authorization === 'string' ? { Authorization: authorization } : {}
  const header = authorization === undefined ? withToken : own
  return post('/v1/auth/refresh', { ...header, 'Content-Type': JSON_TYPE }, body)
}

/** Sends a request as a pact has it: for what no client of ours would send. */
export function sent(baseUrl: string, request: V3Request): Promise<Response> {
  const { method, path, headers, body } = plain(request)
  return fetch(`${baseUrl}${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: textOf(body, headers['Content-Type']) }),
  })
}

function textOf(body: unknown, type?: string): string {
  if (typeof body === 'string') return body
  return type === FORM
    ? new URLSearchParams(body as Record<string, string>).toString()
    : JSON.stringify(body)
}

function plain(request: V3Request) {
  const reified: unknown = MatchersV3.reify(request)
  return reified as Plain
}

interface Plain {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: unknown
}
