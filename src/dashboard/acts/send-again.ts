/** Sends a request of the log again. The log has no secrets: the key of the sandbox and the control token take their place. */
import { CONTROL_TOKEN_HEADER } from '../../headers.ts'
import type { Schemas } from '../../library/sandbox.ts'
import { SandboxError } from '../../library/sandbox-error.ts'
import { headersAgain, isCredential } from '../reading/curl.ts'
import { isDocumented } from '../reading/log.ts'
import type { PageContext } from '../ui/page-context.ts'

type Request = Schemas['Request']

/** Why a request cannot be sent again as it was; null if it can. */
export function whyNotResent(logged: Request): string | null {
  const { request, operation_id: operation } = logged
  const { path, body, bytes, method } = request
  const own = headersAgain(request).filter(([name]) => !isCredential(name))
  if (`${path}${body}${own.flat()}`.includes('[masked]')) return 'the log has its secrets masked.'
  if (operation === 'refreshToken') return 'its refresh token is masked in the log.'
  if (body === null && bytes !== 0 && Number(request.headers['content-length'] ?? 0) > 0) {
    return 'its body was not kept, and is not in the command.'
  }
  // Its answer would have no page.
  const isRead = method === 'GET' && !isDocumented(logged)
  return isRead ? 'reads of the control plane are not in the log once they succeed.' : null
}

/** Sends it, and returns the id of the new request. Throws what prevents it. */
export async function sendAgain(page: PageContext, logged: Request): Promise<string> {
  const obstacle = whyNotResent(logged)
  if (obstacle !== null) {
    const message = `It cannot be sent from here: ${obstacle}`
    throw new SandboxError(message, { status: 409, code: 'not_repeatable', fields: [] })
  }
  const { method, path, body } = logged.request
  const { id, apiKey, url, fetch } = page.sandbox
  const { controlToken } = page.reach
  const headers = new Headers(headersAgain(logged.request).filter(([name]) => !isCredential(name)))
  if (isDocumented(logged)) {
    headers.set('Authorization', `Bearer ${apiKey}`)
  } else {
    headers.set('Sandbox-Id', id)
    if (controlToken !== null) headers.set(CONTROL_TOKEN_HEADER, controlToken)
  }
  // Of bytes, `fetch` says no media type that was not said.
  const hasBody = body !== null && !/^(?:GET|HEAD)$/.test(method)
  const content = hasBody ? new TextEncoder().encode(body) : null
  // One that a fault closes is in the log, too.
  const answer = await fetch(`${url}${path}`, { method, headers, body: content }).catch(() => null)
  const [newest = logged] = (await page.list('/sandbox/requests', { limit: 1 })).data
  return answer?.headers.get('Request-Id') ?? newest.request_id
}
