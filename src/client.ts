/**
 * A typed client of the documented surface, for applications and for tests: nothing of the sandbox is in it, and it
 * sends what the interface shows. Runs wherever `fetch` does.
 */
import createFetchClient, { type Client, type Middleware } from 'openapi-fetch'
import type { paths } from './generated/v1.ts'

export type { components, paths } from './generated/v1.ts'

/** Calls by method and path: `client.POST('/v1/subscriptions', { body: { customer_id, plan } })`. */
export type SubscriptionClient = Client<paths>

export interface ClientOptions {
  /** Where the service is, without `/v1`. */
  readonly baseUrl: string
  /** Sent as `Authorization: Bearer` with all calls but the refresh, which carries its own token. */
  readonly apiKey: string
  /** Sends the requests; the global `fetch` if absent. */
  readonly fetch?: (request: Request) => Promise<Response>
}

/**
 * Makes a client. A call answers `{ data, response }`, or `{ error, response }` if the service refuses; it throws
 * only if there is no answer. Throws `TypeError` for options that are wrong. (Interface sections 4 and 5)
 * @example
 * const client = createClient({ baseUrl: 'http://127.0.0.1:4010', apiKey: 'sk_sandbox_default' })
 * const body = { customer_id: 'cus_ada', plan: 'basic' }
 * const { data, error } = await client.POST('/v1/subscriptions', { body })
 */
export function createClient(options: ClientOptions): SubscriptionClient {
  const { baseUrl, apiKey, fetch } = checked(options)
  const client = createFetchClient<paths>({ baseUrl, ...(fetch === undefined ? {} : { fetch }) })
  client.use(asDocumented(apiKey))
  return client
}

/** The options, for callers without types. */
function checked(options: ClientOptions): ClientOptions {
  const { baseUrl, apiKey, fetch }: Partial<ClientOptions> = Object(options)
  if (typeof baseUrl !== 'string') {
    const rule = 'baseUrl must be an address such as http://127.0.0.1:4010'
    throw new TypeError(`${rule}; got ${String(baseUrl)}.`)
  }
  if (typeof apiKey !== 'string' || !/^[\x21-\x7e]*$/.test(apiKey)) {
    throw new TypeError('apiKey must be visible ASCII characters without spaces; it is not shown.')
  }
  if (fetch === undefined || typeof fetch === 'function') return options
  throw new TypeError(`fetch must be a function; got ${String(fetch)}.`)
}

/** Bodies are forms, but that of the refresh is JSON, and its token is in the header too. */
function asDocumented(apiKey: string): Middleware {
  return {
    onRequest: async ({ request, schemaPath }) => {
      const isRefresh = schemaPath === '/v1/auth/refresh'
      const body = request.body === null ? null : ((await request.clone().json()) as Body)
      if (!request.headers.has('Authorization')) {
        const token = isRefresh ? String(body?.['refresh_token']) : apiKey
        request.headers.set('Authorization', `Bearer ${token}`)
      }
      if (isRefresh || body === null) return request
      const headers = new Headers(request.headers)
      headers.delete('Content-Type')
      // Not a copy of the request: under happy-dom that keeps the body of the original.
      const { url, method, signal, redirect, credentials, cache, keepalive } = request
      const given = Object.entries(body).filter(([, value]) => value !== undefined)
      const form = new URLSearchParams(
        given.map(([name, value]): [string, string] => [name, String(value)]),
      )
      const init = { method, signal, redirect, credentials, cache, keepalive }
      return new Request(url, { ...init, headers, body: form })
    },
  }
}

/** What a call sends. */
type Body = Readonly<Record<string, unknown>>
