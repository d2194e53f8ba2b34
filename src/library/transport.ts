/** How the library reaches a sandbox: typed calls of both surfaces, and streams. Owns headers and how answers are read. */
import { EventSourceParserStream } from 'eventsource-parser/stream'
import createFetchClient from 'openapi-fetch'
import { createClient } from '../client.ts'
import type { paths } from '../generated/control.ts'
import type { CalledOperation } from '../generated/operations.ts'
import { tokenHeader } from '../headers.ts'
import { tryParseJson } from '../wire/common/text.ts'
import type { Fetch } from './sandbox.ts'
import {
  argumentError,
  ofSandbox,
  refusedError,
  SandboxError,
  typeError,
  unreachableError,
} from './sandbox-error.ts'

/** Where a sandbox is, and how it is reached. */
export interface Address {
  /** The address of the server, without a path. */
  readonly url: string
  readonly sandboxId: string
  readonly apiKey: string
  /** The control token of the server; null if it has none. */
  readonly controlToken: string | null
  readonly fetch: Fetch
}

/** The parts of a call, without its operation. */
export interface CallParts {
  readonly params: { readonly path: Readonly<Record<string, string>> }
  readonly query: object | undefined
  readonly body: unknown
}

export type Transport = ReturnType<typeof transportTo>

/** The calls that a client is made of; all throw `SandboxError` for a refusal, `control` and `v1` with `answerData`. */
export function transportTo(address: Address) {
  const { url, apiKey, sandboxId, controlToken } = address
  const fetch: Fetch = (...request) =>
    address.fetch(...request).catch((error: Error) => {
      // What a network fails with; a signal and a defect stay what they are.
      if (!/^(?:TypeError|NetworkError)$/.test(error.name)) throw error
      throw unreachableError(`${url} does not answer`, error)
    })
  const headers = { 'Sandbox-Id': sandboxId, ...tokenHeader(controlToken) }
  const sent = { querySerializer: queryOf, bodySerializer: jsonOf }
  // No redirect is followed: it would take the control token elsewhere.
  const redirect = 'manual'
  const control = createFetchClient<paths>({ baseUrl: url, fetch, headers, redirect, ...sent })
  const v1 = createClient({ baseUrl: url, apiKey, fetch })
  return {
    control,
    /** For programs, which see what an application would. */
    v1: createClient({ baseUrl: url, apiKey, fetch: address.fetch }),
    /** Calls an operation. */
    call: async (
      { method, path, answersText }: CalledOperation,
      { params, query, body }: CallParts,
    ): Promise<unknown> => {
      // Its types are those of one path each; here the path is a variable.
      const request = (path.startsWith('/v1/') ? v1 : control).request as AnyRequest
      const parts = { params: { ...params, query }, body, ...sent, parseAs: 'text' }
      const { data, error, response } = await request(method, path, parts)
      if (!response.ok) throw ofSandbox(refusedError(response, error), sandboxId)
      if (answersText || response.status === 204) return data
      // A fault may have broken it.
      const value = tryParseJson(data ?? '')
      if (value === undefined) throw refusedError(response, data)
      return value
    },
    /** Sends to a path of the control plane what has no JSON answer. */
    send: async (path: string, init: RequestInit = {}): Promise<Response> => {
      const all = { ...headers, ...(init.headers as Record<string, string> | undefined) }
      const answer = await fetch(`${url}${path}`, { ...init, redirect, headers: all })
      if (answer.ok) return answer
      throw refusedError(answer, await answer.json().catch(() => null))
    },
  }
}

type AnyRequest = (method: string, path: string, parts: object) => Promise<Reply<string>>

/** A query as the control plane takes it: the values of a list joined by commas. Throws `SandboxError` for an object. */
export function queryOf(fields: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  const texts = given.map(([name, value]): [string, string] => {
    if (typeof value !== 'object' || Array.isArray(value)) return [name, String(value)]
    throw typeError(name, 'a text, a number, true, false, or a list of them', value)
  })
  return String(new URLSearchParams(texts))
}

/** What JSON leaves out or has another value for, by its tag: a mistake, and never what a caller means. */
const LOST = /^\[object (?:Symbol|Map|Set|Promise|RegExp)\]$/

/** A body as JSON. Throws `SandboxError` for what JSON does not have, such as NaN and an object that contains itself. */
function jsonOf(body: unknown): string {
  /** The objects around a value, from the body inward. */
  const around: { readonly name: string; readonly value: unknown }[] = []
  return JSON.stringify(body, function (this: Readonly<Record<string, unknown>>, name, value) {
    around.splice(around.findIndex((each) => each.value === this) + 1)
    const refuse = (what: string) => {
      const path = [...around.slice(1).map((each) => each.name), name].join('.') || 'body'
      const field = path.replace(/\.(\d+)(?![^.])/g, '[$1]')
      return argumentError(field, `${field} must be a value that JSON has; got ${what}.`)
    }
    const own = this[name]
    const isNull = typeof own === 'number' ? !Number.isFinite(own) : own instanceof Date && !value
    if (typeof own === 'function') throw refuse('a function')
    if (typeof own === 'bigint') throw refuse(`${own}n`)
    if (isNull || LOST.test(Object.prototype.toString.call(value))) throw refuse(String(own))
    if (around.some((each) => each.value === value)) throw refuse('an object that contains itself')
    if (typeof value === 'object' && value !== null) around.push({ name, value })
    return value
  })
}

interface Reply<Data> {
  readonly data?: Data
  readonly error?: unknown
  readonly response: Response
}

/** The answer of a call. Throws `SandboxError` for a refusal. */
export async function answerData<Data>(call: Promise<Reply<Data>>): Promise<Data> {
  const { data, error, response } = await call
  if (!response.ok) throw refusedError(response, error)
  return data as Data
}

/** A path with its parameters. Throws `SandboxError` for one that would lead to another path. */
export function pathParameters<Path extends Readonly<Record<string, string>>>(path: Path) {
  for (const [field, value] of Object.entries(path)) {
    if (typeof value === 'string' && !/^\.{0,2}$|\p{Surrogate}/u.test(value)) continue
    throw typeError(field, 'an id', value)
  }
  return { params: { path } }
}

/** All records of a list, page after page; `pageAfter` asks for one. */
export async function listAll(pageAfter: (cursor: object) => Promise<unknown>): Promise<unknown[]> {
  const found: unknown[] = []
  let cursor: object = {}
  for (;;) {
    const page = (await pageAfter(cursor)) as { data: unknown[]; next_after: unknown }
    for (const each of page.data) found.push(each)
    if (page.next_after === null) return found
    cursor = { after: page.next_after }
  }
}

/** The messages of a stream of the control plane, until it ends, the loop over it does, or it is aborted among its followers. */
export async function* messagesOf<Value>(
  { send }: Transport,
  path: string,
  followers: Set<AbortController>,
): AsyncGenerator<Value> {
  const controller = new AbortController()
  followers.add(controller)
  try {
    const { body } = await send(path, { signal: controller.signal })
    if (body === null) return
    const messages = body
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(new EventSourceParserStream())
    for await (const { event, data } of messages) {
      const value = JSON.parse(data)
      const { reason: code, detail } = value
      if (event === 'end') throw new SandboxError(detail, { status: 200, code, fields: [] })
      yield value as Value
    }
  } catch (error) {
    if (!controller.signal.aborted) throw error
  } finally {
    followers.delete(controller)
    controller.abort()
  }
}
