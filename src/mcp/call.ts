/** Calls of the sandbox that a tool makes, over HTTP as everybody makes them. */
import { readFile } from 'node:fs/promises'
import { jsonIn } from '../contracts/common/json.ts'
import { tokenHeader } from '../headers.ts'
import type { ToolOperation } from './input.ts'

/** The sandbox that is called. */
export interface Called {
  readonly url: string
  readonly sandboxId: string
  readonly apiKey: string
  readonly controlToken: string | null
}

type Args = Readonly<Record<string, unknown>>

/** Calls an operation with the arguments of a tool. Unknown arguments are sent too, so that the sandbox names them. */
export async function callOperation(called: Called, operation: ToolOperation, args: Args) {
  const { method, path, inPath, inQuery, body } = operation
  const search = new URLSearchParams()
  const fields: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(args)) {
    if (inPath.includes(name)) continue
    if (body === null || inQuery.includes(name)) search.set(name, String(value))
    else fields[name] = value
  }
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(args[name] ?? '')),
  )
  // No file is read if the operation does not take one: an agent could send any to anybody.
  const sent = body === 'file' ? await textIn(String(fields['file'])) : JSON.stringify(fields)
  const response = await fetch(`${called.url}${filled}${search.size === 0 ? '' : `?${search}`}`, {
    method: method.toUpperCase(),
    // It would take the control token elsewhere.
    redirect: 'manual',
    headers: headersOf(called, operation),
    ...(body !== null && { body: sent }),
  })
  // A recording is a text, also where it is written as JSON.
  const isText = response.headers.get('Content-Type')?.startsWith('text/plain') === true
  const text = await response.text()
  const read = isText ? undefined : jsonIn(text)
  return { isRefused: !response.ok, body: read === undefined ? text : read }
}

/** Missing parts of the path, which would be another path. */
export function missingInPath({ inPath }: ToolOperation, args: Args): string[] {
  return inPath.filter((name) => typeof args[name] !== 'string' || args[name] === '')
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

function textIn(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((cause: unknown) => {
    throw new Error(`file ${file} cannot be read`, { cause })
  })
}
