/** What the library throws if the sandbox refuses a call, or a condition was not met. */

export interface FieldError {
  readonly field: string
  readonly message: string
}

/**
 * The sandbox refused a call: `code` and `fields` are those of the answer, `message` is its sentence. What the library
 * finds itself, before anything is sent, has the status and code that the sandbox would answer.
 */
export class SandboxError extends Error {
  override readonly name = 'SandboxError'
  /** The status of the answer. */
  readonly status: number
  /** What went wrong, such as `not_found`; `closed` after `close()`, `unreachable` without an answer, `unknown` if that says none. */
  readonly code: string
  readonly fields: readonly FieldError[]

  constructor(message: string, answer: Omit<SandboxError, keyof Error>, options?: ErrorOptions) {
    super(message, options)
    this.status = answer.status
    this.code = answer.code
    this.fields = answer.fields
  }
}

/** The clock reached the end of `within` before the subscription had the status. */
export class ConditionNotMet extends Error {
  override readonly name = 'ConditionNotMet'
}

/** The error of a call after `close()`; `what` was closed. */
export function closedError(what: string): SandboxError {
  const message = `${what} is closed: after close() it takes no calls.`
  return new SandboxError(message, { status: 503, code: 'closed', fields: [] })
}

/** The error of a call without an answer; its cause is what the system says, whose code programs know. */
export function unreachableError(says: string, error: Error, advice = ''): SandboxError {
  const cause = (error.cause ?? error) as Error & { readonly code?: string }
  // Where several addresses were tried there is a code alone, and what TLS says has lines.
  const why = /^.+$/.test(cause.message) ? cause.message : cause.code
  return new SandboxError(
    `${says} (${why})${advice}.`,
    { status: 503, code: 'unreachable', fields: [] },
    { cause },
  )
}

/** The error of an argument that the library finds wrong itself. */
export function argumentError(field: string, message: string): SandboxError {
  const fields = [{ field, message }]
  return new SandboxError(message, { status: 400, code: 'invalid_request', fields })
}

/** The error of an argument of another type, for callers without types; `rule` says what it must be. */
export function typeError(field: string, rule: string, value: unknown): SandboxError {
  const written = JSON.stringify(value, (name, each) => {
    // What an object holds may be long, and may be the object itself.
    if (typeof each === 'object' && each !== null && name !== '') return '...'
    return typeof each === 'bigint' ? `${each}n` : each
  })
  const list = Array.isArray(value) && (value.length === 0 ? 'an empty list' : 'a list')
  const shown = list || (written ?? String(value))
  const isMissing = value === undefined
  const fault = isMissing ? `is missing; it must be ${rule}` : `must be ${rule}; got ${shown}`
  return argumentError(field, `${field} ${fault}.`)
}

/** An argument whose fields are read here. Throws `SandboxError` for what is no object. */
export function requireObject<Value extends object>(field: string, value: Value): Value {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw typeError(field, 'an object', value)
}

/** Throws `SandboxError` for a field that is not known, for callers without types. */
export function assertKnown(given: object, known: readonly string[]): void {
  const names = Object.entries(given).map(([name, value]) => (value === undefined ? [] : name))
  const unknown = names.flat().find((name) => !known.includes(name))
  if (unknown === undefined) return
  throw argumentError(unknown, `${unknown} is not a known field; fields: ${known.join(', ')}.`)
}

/** A refusal of the control plane; on /v1 it has `error` and `message`. */
interface Refused {
  readonly code?: string
  readonly detail?: string
  readonly errors?: readonly FieldError[]
  readonly error?: string
  readonly message?: string
}

/** How many characters of an undocumented answer the message repeats. */
const ANSWER_SHOWN = 300

/** The error of an answer that is not a success, or not what it should be; its body may be anything. */
export function refusedError({ status, headers }: Response, body: unknown): SandboxError {
  const isObject = typeof body === 'object' && body !== null
  const refused: Refused = isObject ? body : {}
  const { code = refused.error ?? 'unknown', errors = [] } = refused
  // A fault, or a sandbox that varies its errors, answers something else than is documented.
  const said = (isObject ? JSON.stringify(body) : String(body ?? '')).slice(0, ANSWER_SHOWN)
  const shown = said === '' ? '' : `: ${said}`
  const fault = headers.get('Sandbox-Fault')
  const why = fault === null ? '' : ` The fault ${fault} hit this call.`
  const message =
    refused.detail ?? refused.message ?? `The sandbox answered ${status}${shown}.${why}`
  const fields = errors.filter(({ field, message: wrong }) => field !== undefined && wrong)
  return new SandboxError(message, { status, code, fields })
}

/** A refusal by its sandbox, where a call of /v1 named that by the key, which nobody chose. */
export function ofSandbox(refused: SandboxError, id: string): SandboxError {
  const told = refused.message.replace(
    /^The Authorization header carries a key .*/,
    `Sandbox-Id "${id}" does not exist, or its key is revoked; GET /sandboxes lists the sandboxes.`,
  )
  return new SandboxError(told, refused)
}
