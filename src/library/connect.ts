/** Connecting to a sandbox that runs elsewhere. */

import { startCommand } from '../operations/naming.ts'
import { sandboxId as sandboxIds } from '../wire/sandbox/sandbox-id.ts'
import type { Fetch, Sandbox, Schemas } from './sandbox.ts'
import { sandboxClient } from './sandbox-client.ts'
import {
  argumentError,
  assertKnown,
  requireObject,
  SandboxError,
  typeError,
  unreachableError,
} from './sandbox-error.ts'
import { transportTo } from './transport.ts'

const ADDRESS = 'an address such as http://127.0.0.1:4010'

export interface ConnectOptions {
  /** Its id; `default` if absent. */
  readonly sandbox?: string
  /** What the server was started with as `--control-token`. */
  readonly controlToken?: string
  /** Sends the requests; the global `fetch` if absent. */
  readonly fetch?: Fetch
}

/**
 * A sandbox of a running server. Closing it leaves the sandbox as it is. Throws `SandboxError` if the sandbox does not
 * exist, for an invalid address, and if nobody answers (`unreachable`, with what the system says as its cause).
 * @example
 * const sandbox = await connect('http://127.0.0.1:4010')
 * const { next_due } = await sandbox.clock.get()
 */
export async function connect(url: string | URL, options: ConnectOptions = {}): Promise<Sandbox> {
  const given = requireObject('options', options)
  const { sandbox: sandboxId = 'default', controlToken = null, fetch = globalThis.fetch } = given
  assertKnown(given, ['sandbox', 'controlToken', 'fetch'])
  if (typeof fetch !== 'function') throw typeError('fetch', 'a function', fetch)
  if (url === undefined) throw typeError('url', ADDRESS, url)
  if (!sandboxIds.pattern.test(sandboxId)) throw typeError('sandbox', sandboxIds.accepts, sandboxId)
  const address = { url: baseOf(String(url)), sandboxId, apiKey: '', controlToken, fetch }
  const isToken = typeof controlToken === 'string' && /^[\x21-\x7e]+$/.test(controlToken)
  if (controlToken !== null && !isToken) {
    const rule = 'controlToken must be visible ASCII characters without spaces; it is not shown.'
    throw argumentError('controlToken', rule)
  }
  const answer = await transportTo(address)
    .send('/sandbox')
    .catch((error: Error) => {
      if (error instanceof SandboxError && error.code !== 'unreachable') throw error
      const advice = `; start one: ${startCommand(address.url)}`
      throw unreachableError(`No sandbox answers at ${address.url}`, error, advice)
    })
  const body: unknown = await answer.json().catch(() => null)
  const { sandbox_id: id, api_key: apiKey } = (body ?? {}) as Partial<Schemas['SandboxSummary']>
  if (id && apiKey) return sandboxClient({ ...address, sandboxId: id, apiKey }, null)
  const { status } = answer
  throw new SandboxError(`${address.url} is no sandbox.`, { status, code: 'unknown', fields: [] })
}

/** An address without trailing slashes. Throws `SandboxError` for an invalid one, and for one with more, as a password. */
function baseOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  const isAddress = url !== null && /^https?:$/.test(url.protocol)
  const [, sandbox] = /\/sandboxes\/([^/]+)\/*$/.exec(url?.pathname ?? '') ?? []
  if (sandbox !== undefined) {
    const rule = `url must be the address of the server; its sandbox is the option sandbox: ${sandbox}.`
    throw argumentError('url', rule)
  }
  const base = `${url?.origin}${url?.pathname}`
  if (isAddress && url.href === base) return base.replace(/\/+$/, '')
  const rule = isAddress ? 'an address without a user, a password, a query and a fragment' : ADDRESS
  // The part before an @ is a secret, even if the rest is not an address.
  throw typeError('url', rule, text.replace(/^.*@/s, '...@'))
}
