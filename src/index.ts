/** The library: a sandbox in this process, or one that runs elsewhere, with the same methods. */
import { isDate } from 'node:util/types'
import * as z from 'zod'
import { HOST_RULE, isHost } from './http/guard.ts'
import type { Fetch, Sandbox, Schemas } from './library/sandbox.ts'
import { sandboxClient, textOfDate } from './library/sandbox-client.ts'
import { argumentError, closedError, requireObject, SandboxError } from './library/sandbox-error.ts'
import { StartRefused } from './server/fixture-choice.ts'
import { type Started, start } from './server/start.ts'
import { FolderRefused, StoreError } from './store/store.ts'
import { validate } from './surface/field-errors.ts'
import { RefusalError } from './surface/refusals.ts'
import { camelKeys } from './wire/common/case.ts'
import { InstantIn } from './wire/common/fields.ts'
import { SettingsPatch } from './wire/sandbox/settings.ts'

export { type ConnectOptions, connect } from './library/connect.ts'
export type * from './library/sandbox.ts'
export { ConditionNotMet, type FieldError, SandboxError } from './library/sandbox-error.ts'
export { type ShrinkOptions, type ShrinkTrial, type Shrunk, shrink } from './library/shrink.ts'

export interface StartSandboxOptions {
  /** A free port if absent. */
  readonly port?: number
  /**
   * What it begins with: a name, a file or a folder of files; `starter` if absent. If `data` holds a sandbox
   * already, that goes on as it is: fixture, `now` and settings are not used, and the log says so.
   */
  readonly fixture?: string
  /** Where its clock starts; as its fixture says if absent. */
  readonly now?: string | Date
  /** Settings of this sandbox; or a file of settings, which those that it creates have too. */
  readonly settings?: Schemas['SettingsPatch'] | string
  /** What the service does differently, in all its sandboxes: the name of a cell of `exec --matrix`. */
  readonly deviation?: string
  /** Whether time passes by itself; it does not pass if absent. */
  readonly running?: boolean
  /** The folder that keeps it; `memory`, or nothing, keeps it no longer than the process. */
  readonly data?: string
  /** Hosts that may receive webhooks, in addition to this machine. */
  readonly allowedWebhookHosts?: readonly string[]
  /** Receives warnings and defects; standard error if absent. */
  readonly log?: (line: string) => void
}

/**
 * Starts a sandbox in this process, listening on loopback. Closing it, or leaving the scope of `await using`, stops
 * it. Throws `SandboxError` for options that are wrong, a port in use, and a folder that cannot be used
 * (`storage_unavailable`, or `storage_damaged`).
 * @example
 * await using sandbox = await startSandbox()
 * await sandbox.subscriptions.create({ customer_id: 'cus_ada', plan: 'pro' })
 * await sandbox.clock.advance('P1M')
 * const invoices = await sandbox.invoices.list()
 */
export async function startSandbox(options: StartSandboxOptions = {}): Promise<Sandbox> {
  const started = await startWith(options).catch((error: Error) => {
    throw asSandboxError(error)
  })
  const { url, registry } = started
  let isClosed = false
  const { id: sandboxId, apiKey } = registry.default
  const fetch = fetchFrom(started, () => isClosed)
  return sandboxClient({ url, sandboxId, apiKey, controlToken: null, fetch }, () => {
    isClosed = true
    return started.close()
  })
}

async function startWith(options: StartSandboxOptions): Promise<Started> {
  const { now, log } = requireObject('options', options)
  const given = isDate(now) ? { ...options, now: textOfDate(now) } : options
  const order = validate(StartOrder, given) as z.output<typeof StartOrder>
  const { port, running, allowedWebhookHosts, data = 'memory', settings } = order
  return start({
    ...{ port, running, allowedWebhookHosts },
    folder: data === 'memory' ? null : data,
    fixture: order.fixture ?? null,
    clockStart: order.now ?? null,
    ...(typeof settings === 'string'
      ? { settingsFile: settings }
      : { settings: camelKeys(settings) }),
    ...(order.deviation && { deviation: order.deviation }),
    ...(log && { log }),
  })
}

const Text = z.string().min(1).meta({ accepts: 'a text that is not empty' })

/** What the options accept, for callers without types. */
const StartOrder = z.strictObject({
  port: z.int().min(0).max(65_535).meta({ accepts: 'an integer from 0 to 65535' }).default(0),
  fixture: Text.optional(),
  now: InstantIn.optional(),
  settings: z.union([Text, SettingsPatch]).default({}),
  running: z.boolean().meta({ accepts: 'true or false' }).default(false),
  data: Text.optional(),
  deviation: Text.optional(),
  allowedWebhookHosts: z
    .array(z.string().refine(isHost).meta({ accepts: HOST_RULE }))
    .meta({ accepts: 'a list of names' })
    .default([]),
  log: z
    .custom((value) => typeof value === 'function')
    .meta({ accepts: 'a function' })
    .optional(),
})

/** Failures to start, and what a server would answer for them. */
const failures = [
  [FolderRefused, 503, 'storage_unavailable'],
  [StoreError, 500, 'storage_damaged'],
  [StartRefused, 400, 'invalid_request'],
] as const

function asSandboxError(error: Error): Error {
  if (error instanceof RefusalError) {
    return new SandboxError(error.message, { status: 400, code: error.code, fields: error.fields })
  }
  const { code: fault, port } = error as NodeJS.ErrnoException & { readonly port?: number }
  if (fault === 'EADDRINUSE') {
    const message = `port ${port} is in use; choose another one, or 0 for a free one.`
    return Object.assign(argumentError('port', message), { cause: error })
  }
  const [, status, code] = failures.find(([failure]) => error instanceof failure) ?? []
  // What the command line has an option for is an option here too, by its name.
  const message = error.message.replace(/^--/, '')
  return status ? new SandboxError(message, { status, code, fields: [] }) : error
}

/** Rejects with the reason of a signal where that comes first, as `fetch` does. */
async function unlessAborted<Value>(value: Value | Promise<Value>, signal: AbortSignal) {
  signal.throwIfAborted()
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  return await Promise.race([value, aborted])
}

/** Ends with a signal what takes its time to come. A whole answer is there: a stream would take as long as the call. */
function endingWith(signal: AbortSignal, answer: Response): Response {
  const { body, headers } = answer
  const isSlow = headers.has('Sandbox-Fault') || headers.get('Content-Type') === 'text/event-stream'
  if (body === null || !isSlow) return answer
  const start = (controller: TransformStreamDefaultController) =>
    signal.addEventListener('abort', () => controller.error(signal.reason), { once: true })
  return new Response(body.pipeThrough(new TransformStream({ start })), answer)
}

/** Reaches the server of this process without a socket, and anything else as ever. */
function fetchFrom({ url, answer }: Started, isClosed: () => boolean): Fetch {
  return async (input, init) => {
    const request = new Request(input, init)
    if (new URL(request.url).origin !== url) return fetch(request)
    if (isClosed()) throw closedError('The server of this sandbox')
    const response = await unlessAborted(answer(request), request.signal)
    // What a fault closes the connection with.
    if (response.type === 'error') throw new TypeError('fetch failed')
    return endingWith(request.signal, response)
  }
}
