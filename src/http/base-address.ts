/**
 * The base address of a sandbox: `/sandboxes/{sandbox_id}/v1` and `/sandboxes/{sandbox_id}/provider-states` answer as
 * /v1 and /sandbox/provider-states do, in that sandbox. Owns the form of such an address; whoever reads the path of a
 * request reads the documented one. (Decision 39)
 */
import type { Context } from 'hono'
import { getPath } from 'hono/utils/url'

/** What stands behind the sandbox, up to a query: a path of /v1, or that of the provider states. */
const based = /^\/sandboxes\/([^/]+)(?:(\/v1(?:\/.*)?)|(\/provider-states\/?))$/s

/** The path that a request is routed by. Apps take it as their `getPath`. */
export function documentedPath(request: Request): string {
  const path = getPath(request)
  const [, , v1, states] = basedPath(path) ?? []
  return v1 ?? (states === undefined ? path : `/sandbox${states}`)
}

/** The id in the base address that a request was sent to; null at every other address. */
export function addressedId(c: Context): string | null {
  return basedPath(getPath(c.req.raw))?.[1] ?? null
}

/** Path and query of a request as they were sent, without a base address. */
export function documentedTarget(c: Context): string {
  const { url } = c.req
  const target = url.slice(url.indexOf('/', url.indexOf('//') + 2))
  if (addressedId(c) === null) return target
  const rest = target.replace(/^\/[^/]+\/[^/]+/, '')
  return c.req.path.startsWith('/v1') ? rest : `/sandbox${rest}`
}

/** Whether a path that a request is routed by is one of the documented surface. */
export function isDocumentedPath(path: string): boolean {
  return /^\/v1(?:\/|$)/.test(path)
}

/** Nearly every path is another one, which a prefix tells without a pattern. */
function basedPath(path: string): RegExpExecArray | null {
  return path.startsWith('/sandboxes/') ? based.exec(path) : null
}
