/** Calls of the sandbox that a tool makes, over HTTP as everybody makes them. */
import { readFile, stat } from 'node:fs/promises'
import { jsonIn } from '../contracts/common/json.ts'
import { tokenHeader } from '../headers.ts'
import { startCommand } from '../operations/naming.ts'
import { printValue, shorten } from '../surface/refusals.ts'
import type { ToolOperation } from './input.ts'

/** The sandbox that is called. */
export interface Called {
  readonly url: string
  readonly sandboxId: string
  readonly apiKey: string
  readonly controlToken: string | null
}

/** The arguments of a tool. */
export type Args = Readonly<Record<string, unknown>>

/** Calls an operation with the arguments of a tool. Unknown arguments are sent too, so that the sandbox names them. */
export async function callOperation(called: Called, operation: ToolOperation, args: Args) {
  const { method, path, inPath, inQuery, body } = operation
  const search = new URLSearchParams()
  const fields: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(args)) {
    if (inPath.includes(name)) continue
    if (body === null || inQuery.includes(name)) search.set(name, inQueryText(value))
    else fields[name] = value
  }
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(args[name])),
  )
  const url = `${called.url}${filled}${search.size === 0 ? '' : `?${search}`}`
  const headers = headersOf(called, operation)
  // No file is read if the operation does not take one: an agent could send any to anybody.
  const sent = body === 'file' ? await textIn(String(fields['file'])) : JSON.stringify(fields)
  const response = await fetch(url, {
    method: method.toUpperCase(),
    // It would take the control token elsewhere.
    redirect: 'manual',
    headers,
    ...(body !== null && { body: sent }),
  }).catch((cause: unknown) => {
    throw new Error(noAnswer(called, path, cause), { cause })
  })
  return { ...(await readAnswer(called, response)), request: { method, url, headers } }
}

/** An answer: JSON or text, and what is to be said beside it. */
async function readAnswer({ url }: Called, response: Response) {
  const fault = response.headers.get('Sandbox-Fault')
  const note = fault && `The fault ${fault} hit this call of the tool; ${REMOVING}`
  // A recording is a text, also where it is written as JSON.
  const isText = response.headers.get('Content-Type')?.startsWith('text/plain') === true
  const nothing = response.ok ? 'Done.' : `${url} answered ${response.status}.`
  const answered = await response.text().catch((cause: unknown) => {
    throw new Error(`The answer of ${url} is cut: ${note ?? 'the connection closed'}`, { cause })
  })
  const text = answered || nothing
  const read = isText ? undefined : jsonIn(text)
  const body = read === undefined ? text : read
  return { isRefused: !response.ok, body, notes: note === null ? [] : [`${note}.`] }
}

/** What an agent does about a fault that it made for the code under test, and that hits the tools. */
const REMOVING = 'delete_record with kind fault removes it, and match says which calls it hits'

/** Why there is no answer: nobody listens, or a fault closed the connection. */
function noAnswer({ url }: Called, path: string, failure: unknown): string {
  const { cause } = failure as { readonly cause?: NodeJS.ErrnoException }
  return path.startsWith('/v1/') && cause?.code === 'UND_ERR_SOCKET'
    ? `${url} closed the connection: a fault may have hit this call of the tool; ${REMOVING}`
    : `${url} does not answer; start a sandbox there: ${startCommand(url)}`
}

/** What is wrong with the arguments before anything is sent: an id could lead to another path, and a file hides others. */
export function problemsIn({ inPath, body, fields }: ToolOperation, args: Args): string[] {
  const problems = inPath.filter((name) => !isText(args[name])).map(wrong('an id', args))
  return body === 'file'
    ? [...problems, ...fileProblems(Object.keys(fields.properties), args)]
    : problems
}

/** What is wrong with the arguments of a tool that takes a file. */
export function fileProblems(known: readonly string[], args: Args): string[] {
  const unknown = Object.keys(args).filter((name) => !known.includes(name))
  const told = unknown.map(
    (name) => `${shorten(name)} is not a known field; fields: ${known.join(', ')}.`,
  )
  return told.length > 0 || isText(args['file'])
    ? told
    : [wrong('the path of a file', args)('file')]
}

/** Says that an argument is missing, or has another value than it must have. */
export function wrong(rule: string, args: Args): (name: string) => string {
  return (name) =>
    args[name] === undefined
      ? `${name} is missing; it must be ${rule}. The call has ${Object.keys(args).join(', ') || 'no fields'}.`
      : `${name} must be ${rule}; got ${printValue(args[name])}.`
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && !/^\.{0,2}$|\p{Surrogate}|\0/u.test(value)
}

/** A list is joined by commas. */
function inQueryText(value: unknown): string {
  const isObject = typeof value === 'object' && !Array.isArray(value)
  return isObject ? JSON.stringify(value) : String(value)
}

function headersOf({ sandboxId, apiKey, controlToken }: Called, { path, body }: ToolOperation) {
  return {
    ...(body !== null && { 'Content-Type': 'application/json' }),
    ...(path.startsWith('/v1/')
      ? { Authorization: `Bearer ${apiKey}` }
      : { 'Sandbox-Id': sandboxId }),
    ...tokenHeader(controlToken),
  }
}

async function textIn(file: string): Promise<string> {
  const shown = `file ${printValue(file)}`
  try {
    if ((await stat(file)).isFile()) return await readFile(file, 'utf8')
  } catch (cause) {
    throw new Error(`${shown} cannot be read`, { cause })
  }
  // Of others there may be no end.
  throw new Error(`${shown} must be a regular file`)
}
