/** Connecting to a sandbox that runs elsewhere. */
import { faceOf } from './face.ts'
import type { Fetch, Sandbox, Schemas } from './sandbox.ts'
import { refusedError, SandboxError } from './sandbox-error.ts'
import { controlHeaders } from './transport.ts'

export interface ConnectOptions {
  /** Its id; `default` where it is absent. */
  readonly sandbox?: string
  /** What the server was started with as `--control-token`. */
  readonly controlToken?: string
  /** Another way to send; that of the platform where it is absent. */
  readonly fetch?: Fetch
}

/**
 * The sandbox of a server that runs. Closing it leaves it as it is. Throws `SandboxError` where it has no such
 * sandbox, and an error with its cause where nobody answers.
 */
export async function connect(url: string | URL, options: ConnectOptions = {}): Promise<Sandbox> {
  const { sandbox = 'default', controlToken = null, fetch = globalThis.fetch } = options
  const base = String(url).replace(/\/+$/, '')
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
  return faceOf({ url: base, sandboxId, apiKey, controlToken, fetch }, async () => undefined)
}
