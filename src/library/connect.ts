/** Connecting to a sandbox that runs elsewhere. */
import { faceOf } from './face.ts'
import type { Fetch, Sandbox, Schemas } from './sandbox.ts'
import { refusedError } from './sandbox-error.ts'
import { controlHeaders } from './transport.ts'

export interface ConnectOptions {
  /** Its id; `default` where it is absent. */
  readonly sandbox?: string
  /** What the server was started with as `--control-token`. */
  readonly controlToken?: string
  /** Another way to send; that of the platform where it is absent. */
  readonly fetch?: Fetch
}

/** The sandbox of a server that runs. Closing it leaves it as it is. Throws `SandboxError` where there is none. */
export async function connect(url: string | URL, options: ConnectOptions = {}): Promise<Sandbox> {
  const { sandbox = 'default', controlToken = null, fetch = globalThis.fetch } = options
  const base = String(url).replace(/\/+$/, '')
  const headers = controlHeaders({ sandboxId: sandbox, controlToken })
  const answer = await fetch(`${base}/sandbox`, { headers })
  const body: unknown = await answer.json().catch(() => null)
  if (!answer.ok) throw refusedError(answer, body)
  const { sandbox_id: sandboxId, api_key: apiKey } = body as Schemas['SandboxSummary']
  return faceOf({ url: base, sandboxId, apiKey, controlToken, fetch }, async () => undefined)
}
