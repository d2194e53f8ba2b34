/** Connecting to a sandbox that runs elsewhere. */

import type { Fetch, Sandbox, Schemas } from './sandbox.ts'
import { sandboxClient } from './sandbox-client.ts'
import { argumentError, refusedError, SandboxError } from './sandbox-error.ts'
import { controlHeaders } from './transport.ts'

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
 * exist and for an invalid address, and an error with its cause if nobody answers.
 * @example
 * const sandbox = await connect('http://127.0.0.1:4010')
 * const { next_due } = await sandbox.clock.get()
 */
export async function connect(url: string | URL, options: ConnectOptions = {}): Promise<Sandbox> {
  const { sandbox = 'default', controlToken = null, fetch = globalThis.fetch } = options
  const base = baseOf(String(url))
  if (controlToken !== null && !/^[\x21-\x7e]+$/.test(controlToken)) {
    throw argumentError(
      'controlToken',
      'controlToken must be visible ASCII characters without spaces; it is not shown.',
    )
  }
  const headers = controlHeaders({ sandboxId: sandbox, controlToken })
  const answer = await fetch(`${base}/sandbox`, { headers }).catch((error: Error) => {
    throw new Error(`No sandbox answers at ${base}; start one: subscription-sandbox serve.`, {
      cause: error,
    })
  })
  const body: unknown = await answer.json().catch(() => null)
  if (!answer.ok) throw refusedError(answer, body)
  const summary = body as Partial<Schemas['SandboxSummary']> | null
  if (!summary?.sandbox_id || !summary.api_key) {
    throw new SandboxError(`${base} is no sandbox.`, {
      status: answer.status,
      code: 'unknown',
      fields: [],
    })
  }
  const { sandbox_id: sandboxId, api_key: apiKey } = summary
  return sandboxClient({ url: base, sandboxId, apiKey, controlToken, fetch }, async () => undefined)
}

/** An address without trailing slashes. Throws `SandboxError` for an invalid one, and for one with a password. */
function baseOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  const isAddress = url !== null && /^https?:$/.test(url.protocol)
  if (isAddress && url.username === '' && url.password === '') return text.replace(/\/+$/, '')
  const rule = isAddress ? 'without a user and a password' : 'such as http://127.0.0.1:4010'
  // The part before an @ is a secret, even if the rest is not an address.
  const shown = JSON.stringify(text.replace(/^.*@/s, '...@'))
  throw argumentError('url', `url must be an address ${rule}; got ${shown}.`)
}
