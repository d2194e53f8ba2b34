/** Calls of the sandbox that a tool makes, over HTTP as everybody makes them. */
import { readFile } from 'node:fs/promises'
import { CONTROL_TOKEN_HEADER } from '../headers.ts'
import type { ToolOperation } from './input.ts'

/** The sandbox that is called. */
export interface Called {
  readonly url: string
  readonly sandboxId: string
  readonly apiKey: string
  readonly controlToken: string | null
}

/** The result of a call. */
export interface ToolAnswer {
  readonly isRefused: boolean
  readonly body: unknown
}

/** Calls an operation with the arguments of a tool. Unknown arguments are sent too, so that the sandbox names them. */
export async function callOperation(
  called: Called,
  operation: ToolOperation,
  args: Readonly<Record<string, unknown>>,
): Promise<ToolAnswer> {
  const { method, path, inPath, inQuery, hasBody, bodyIsFile } = operation
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(args[name] ?? '')),
  )
  const rest = Object.entries(args).filter(([name]) => !inPath.includes(name))
  const query = rest.filter(([name]) => !hasBody || inQuery.includes(name))
  const fields = rest.filter(([name]) => hasBody && !inQuery.includes(name))
  const search = new URLSearchParams(
    query.map(([name, value]): [string, string] => [name, String(value)]),
  )
  const response = await fetch(`${called.url}${filled}${search.size === 0 ? '' : `?${search}`}`, {
    method: method.toUpperCase(),
    headers: headersOf(called, path, hasBody),
    ...(hasBody ? { body: await bodyOf(Object.fromEntries(fields), bodyIsFile) } : {}),
  })
  return { isRefused: !response.ok, body: readBody(await response.text()) }
}

/** Missing parts of the path, which would be another path. */
export function missingInPath({ inPath }: ToolOperation, args: Readonly<Record<string, unknown>>) {
  return inPath.filter((name) => typeof args[name] !== 'string' || args[name] === '')
}

function headersOf({ sandboxId, apiKey, controlToken }: Called, path: string, hasBody: boolean) {
  return {
    ...(hasBody ? { 'Content-Type': 'application/json' } : {}),
    ...(path.startsWith('/v1/')
      ? { Authorization: `Bearer ${apiKey}` }
      : { 'Sandbox-Id': sandboxId }),
    ...(controlToken === null ? {} : { [CONTROL_TOKEN_HEADER]: controlToken }),
  }
}

/** No file is read where the operation does not take one: an agent could send any to anybody. */
async function bodyOf(fields: Record<string, unknown>, isFile: boolean): Promise<string> {
  return isFile ? readFile(String(fields['file']), 'utf8') : JSON.stringify(fields)
}

function readBody(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
