/**
 * The id of a request, by which events and logs name it. Owns when a request is counted, and which requests count for
 * the server and not for a sandbox.
 */
import type { Context } from 'hono'
import { numberedId } from '../billing/id.ts'
import { invalidField, printValue } from '../surface/refusals.ts'
import { isDocumentedPath } from './base-address.ts'
import { isSafeMethod } from './guard.ts'

/** The number in the header `Sandbox-Request-Id`; undefined without one. Throws 400 for what is no request id. */
export function requestNumberOf(c: Context): number | undefined {
  const header = c.req.header('sandbox-request-id')
  if (header === undefined) return undefined
  const [, digits] = /^req_(\d{6,15})$/.exec(header) ?? []
  if (digits !== undefined) return Number(digits)
  const rule = `must be req_ and 6 to 15 digits; got ${printValue(header)}`
  throw invalidField('Sandbox-Request-Id', rule)
}

/** The id of the request, counted when it is first asked for. */
export function requestIdOf(c: Context): string {
  return (c.get('counted') ?? countRequest(c)).requestId
}

/** The id of a request that replaces the world, asked for just before: it belongs to the new one, as its event does. */
export function requestIdInNewWorld(c: Context): string {
  const requestId = requestIdOf(c)
  const sandbox = c.get('sandbox')
  const replacements = sandbox.replacements + 1
  c.set('counted', { sandbox, requestId, replacements, eventsBefore: null })
  return requestId
}

/** The id of a request in its turn: counted again after a reset, so that it belongs to the world that it changes. */
export function requestIdInTurn(c: Context): string {
  const { sandbox, replacements } = c.get('counted') ?? {}
  // A question is counted where it is asked, while its changes are made in detached sandboxes.
  const isReplaced = sandbox === c.get('sandbox') && replacements !== sandbox.replacements
  return isReplaced ? countRequest(c).requestId : requestIdOf(c)
}

/** Counted by the sandbox, for a request that is the sandbox's own. */
function countRequest(c: Context) {
  const sandbox = isOfServer(c) ? null : c.get('sandbox')
  const counted = {
    sandbox,
    requestId:
      sandbox?.nextRequestId(isRead(c) ? 'read' : 'write', c.get('requestNumber')) ??
      nextServerRequestId(),
    replacements: sandbox?.replacements ?? null,
    eventsBefore: sandbox?.newestEvent ?? null,
  }
  c.set('counted', counted)
  return counted
}

let requestsOfServer = 0

export function nextServerRequestId(): string {
  requestsOfServer += 1
  return numberedId('server_', requestsOfServer)
}

/**
 * Whether a request is to the server and not to a sandbox: health, documents, pages. Sandboxes do not count those, since
 * events name their request, and how often somebody asks for the health is the same in no two runs of a script.
 */
export function isOfServer({ req: { path } }: Context): boolean {
  return !/^\/(?:v1|sandbox(?!\/openapi\.)|sandboxes)(?:\/|$)/.test(path)
}

/** Beside /v1, where every request may change something, a safe method only reads. */
function isRead({ req }: Context): boolean {
  return isSafeMethod(req.method) && !isDocumentedPath(req.path)
}
