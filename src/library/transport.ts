/** How the library reaches a sandbox: typed calls of both surfaces, and streams. Owns headers and how answers are read. */
import { EventSourceParserStream } from 'eventsource-parser/stream'
import createFetchClient, { type Client } from 'openapi-fetch'
import { createClient, type SubscriptionClient } from '../client.ts'
import type { paths } from '../generated/control.ts'
import type { Fetch } from './sandbox.ts'
import { refusedError } from './sandbox-error.ts'

/** Where a sandbox is, and how it is reached. */
export interface Address {
  /** The address of the server, without a path. */
  readonly url: string
  readonly sandboxId: string
  readonly apiKey: string
  /** What the control plane asks for, where it was started with a token. */
  readonly controlToken: string | null
  readonly fetch: Fetch
}

/** The calls that a face is made of. */
export interface Transport {
  readonly address: Address
  readonly control: Client<paths>
  readonly v1: SubscriptionClient
  /** Sends to a path of the control plane what has no JSON answer. Throws `SandboxError` for a refusal. */
  readonly send: (path: string, init?: RequestInit) => Promise<Response>
}

export function transportTo(address: Address): Transport {
  const { url, fetch, apiKey } = address
  const headers = controlHeaders(address)
  return {
    address,
    control: createFetchClient<paths>({ baseUrl: url, fetch, headers, querySerializer: queryOf }),
    v1: createClient({ baseUrl: url, apiKey, fetch }),
    send: async (path, init = {}) => {
      const answer = await fetch(`${url}${path}`, {
        ...init,
        headers: { ...headers, ...(init.headers as Record<string, string> | undefined) },
      })
      if (!answer.ok) throw refusedError(answer, await answer.json().catch(() => null))
      return answer
    },
  }
}

/** A query as the control plane takes it: the values of a list joined by commas. */
export function queryOf(fields: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) query.set(name, String(value))
  }
  return String(query)
}

/** What a call of the control plane carries, so that it is about this sandbox. */
export function controlHeaders({
  sandboxId,
  controlToken,
}: Pick<Address, 'sandboxId' | 'controlToken'>): Record<string, string> {
  const token = controlToken === null ? {} : { 'Sandbox-Control-Token': controlToken }
  return { 'Sandbox-Id': sandboxId, ...token }
}

/** What a call answers. Throws `SandboxError` for a refusal. */
export async function answered<Data>(
  call: Promise<{ data?: Data; error?: unknown; response: Response }>,
): Promise<Data> {
  const { data, error, response } = await call
  if (!response.ok) throw refusedError(response, error)
  return data as Data
}

/** What pages of a list have in common. */
interface Page<Value, Cursor> {
  readonly data: Value[]
  readonly next_after: Cursor | null
}

type Pages<Value, Cursor> = (cursor: { after?: Cursor }) => Promise<Page<Value, Cursor>>

/** All records of a list, page after page; `pageAfter` asks for one. */
export function allOf<Value>(pageAfter: Pages<Value, string>): Promise<Value[]> {
  return all(pageAfter)
}

/** As `allOf`, of a list that counts what is in it. */
export function allNumbered<Value>(pageAfter: Pages<Value, number>): Promise<Value[]> {
  return all(pageAfter)
}

async function all<Value, Cursor>(pageAfter: Pages<Value, Cursor>): Promise<Value[]> {
  const found: Value[] = []
  let after: Cursor | null = null
  do {
    const page: Page<Value, Cursor> = await pageAfter(after === null ? {} : { after })
    for (const each of page.data) found.push(each)
    after = page.next_after
  } while (after !== null)
  return found
}

/** The messages of a stream of the control plane, until it ends or the loop over it does. */
export async function* messagesOf<Value>({ send }: Transport, path: string): AsyncGenerator<Value> {
  const given = new AbortController()
  try {
    const { body } = await send(path, { signal: given.signal })
    if (body === null) return
    const messages = body
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(new EventSourceParserStream())
    for await (const { data } of messages) yield JSON.parse(data) as Value
  } finally {
    given.abort()
  }
}
