/** The request that a command sends, made from the declaration of its operation. */
import { apiKeyOf } from '../sandbox/sandbox-parts.ts'
import type { Declaration } from '../surface/operation.ts'

/** What was typed: what stands in the path, and the fields of the body or the query. */
interface Content {
  readonly ids: readonly (string | undefined)[]
  readonly fields: Readonly<Record<string, unknown>>
  readonly sandbox: string
}

export function operationRequest(declared: Declaration, { ids, fields, sandbox }: Content) {
  const { body, security } = declared
  const method = declared.method.toUpperCase()
  const path = requestPath(declared, ids, declared.query === undefined ? {} : fields)
  const key = security === 'refresh_token' ? fields['refresh_token'] : apiKeyOf(sandbox)
  const headers = security === 'none' ? {} : { Authorization: `Bearer ${key}` }
  const isEmpty = Object.keys(fields).length === 0
  if (body === undefined || (isEmpty && !body.required)) return { method, path, headers }
  // A form where it is taken, because that is what the interface shows.
  if (body.media.includes('form')) return { method, path, headers, body: formOf(fields) }
  const asJson = { ...headers, 'Content-Type': 'application/json' }
  return { method, path, headers: asJson, body: JSON.stringify(fields) }
}

/** A path with its parameters and its query. */
export function requestPath(
  { path }: Declaration,
  ids: readonly (string | undefined)[],
  query: Readonly<Record<string, unknown>>,
): string {
  const left = [...ids]
  const filled = path.replace(/\{\w+\}/g, () => encodeURIComponent(left.shift() ?? ''))
  const search = formOf(query)
  return search.size === 0 ? filled : `${filled}?${search}`
}

/** Fields as a form or a query writes them. */
function formOf(fields: Readonly<Record<string, unknown>>): URLSearchParams {
  return new URLSearchParams(
    Object.entries(fields).map(([name, value]): [string, string] => [name, String(value)]),
  )
}
