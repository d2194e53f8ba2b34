/** The library: a sandbox in this process, or one that runs elsewhere, with the same face. */
import * as z from 'zod'
import { checked } from './http/request/field-errors.ts'
import { faceOf } from './library/face.ts'
import type { Fetch, Sandbox, Schemas } from './library/sandbox.ts'
import { SandboxError } from './library/sandbox-error.ts'
import { type Started, StartRefused, start } from './server/start.ts'
import { RefusalError } from './surface/refusals.ts'
import { InstantIn } from './wire/fields.ts'
import { SettingsPatch, settingsOrder } from './wire/settings.ts'

export { type ConnectOptions, connect } from './library/connect.ts'
export type * from './library/sandbox.ts'
export { ConditionNotMet, type FieldError, SandboxError } from './library/sandbox-error.ts'

export interface StartSandboxOptions {
  /** A free one where it is absent. */
  readonly port?: number
  /** What it begins with: a name, a file or a folder of files; `starter` where it is absent. */
  readonly fixture?: string
  /** Where its clock starts; where its fixture says, where this is absent. */
  readonly now?: string | Date
  readonly settings?: Schemas['SettingsPatch']
  /** Whether time passes by itself; it stands still where this is absent. */
  readonly running?: boolean
  /** The folder that keeps it; memory only where this is absent. */
  readonly data?: string
  /** Where webhooks may be, beside this machine. */
  readonly allowedWebhookHosts?: readonly string[]
  /** Gets warnings and defects; the error output where it is absent. */
  readonly log?: (line: string) => void
}

/**
 * Starts a sandbox in this process, listening on loopback. Closing it, or leaving the scope of `await using`, stops
 * it. Throws `SandboxError` for options that are wrong, and what the system says where port or folder cannot be used.
 */
export async function startSandbox(options: StartSandboxOptions = {}): Promise<Sandbox> {
  const started = await startWith(options).catch((error: Error) => {
    throw sandboxErrorOf(error) ?? error
  })
  const { url, registry, close } = started
  const { id: sandboxId, apiKey } = registry.default
  const fetch = fetchFrom(started)
  return faceOf({ url, sandboxId, apiKey, controlToken: null, fetch }, close)
}

async function startWith(options: StartSandboxOptions): Promise<Started> {
  const { settings = {}, now, log = warn } = options
  const at = now instanceof Date ? now.toISOString() : now
  const order = checked(StartOrder, { now: at, settings }) as z.output<typeof StartOrder>
  return start({
    host: '127.0.0.1',
    allowedHosts: [],
    allowedWebhookHosts: options.allowedWebhookHosts ?? [],
    port: options.port ?? 0,
    folder: options.data ?? null,
    durability: 'commit',
    lock: 'kernel',
    fixture: options.fixture ?? null,
    clockStart: order.now ?? null,
    running: options.running ?? false,
    settings: settingsOrder(order.settings),
    log,
  })
}

const StartOrder = z.strictObject({ now: InstantIn.optional(), settings: SettingsPatch })

function warn(line: string): void {
  process.stderr.write(`${line}\n`)
}

function sandboxErrorOf(error: Error): SandboxError | null {
  if (error instanceof RefusalError) {
    return new SandboxError(error.message, { status: 400, code: error.code, fields: error.fields })
  }
  if (!(error instanceof StartRefused)) return null
  return new SandboxError(error.message, { status: 400, code: 'invalid_request', fields: [] })
}

/** Reaches the server of this process without a socket, and anything else as ever. */
function fetchFrom({ url, answer }: Started): Fetch {
  return async (input, init) => {
    const target = typeof input === 'string' && input.startsWith('/') ? `${url}${input}` : input
    const request = new Request(target, init)
    if (new URL(request.url).origin !== url) return fetch(request)
    const response = await answer(request)
    // What a fault closes the connection with.
    if (response.type === 'error') throw new TypeError('fetch failed')
    return response
  }
}
