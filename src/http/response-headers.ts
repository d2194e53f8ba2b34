/**
 * The response headers of every answer: the sandbox and its virtual time, the request id, and the assumptions that shaped
 * the answer, with those that surprise people as a dictionary of RFC 8941. Also keeps for the log what is answered.
 */
import type { Context } from 'hono'
import { warnings } from '../assumptions/warnings.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { VERSION } from '../version.ts'
import { type LoggedReply, type Server, turnOf } from './request/context.ts'
import { requestIdOf } from './request-id.ts'

/** Makes an answer from its text, with the response headers behind its own. */
export function answerWith(
  c: Context,
  text: string | null,
  { status, headers }: { readonly status: number; readonly headers: Record<string, string> },
): Response {
  const reply = { status, mediaType: headers['Content-Type'] ?? null, text }
  // One plain object, which the server writes as it is.
  const all = Object.assign(headers, responseHeaders(c, reply))
  // Operations can be served without a registry.
  const server = c.get('server') as Server | undefined
  const isLower = server?.deviation?.hasLowerCaseHeaders === true
  return new Response(text, { status, headers: isLower ? lowerCase(all) : all })
}

function lowerCase(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  )
}

export function addHeaders(c: Context, answer: Response): Response {
  const { status, headers } = answer
  const reply = { status, mediaType: headers.get('Content-Type'), text: null }
  for (const [name, value] of Object.entries(responseHeaders(c, reply))) headers.set(name, value)
  return answer
}

function responseHeaders(c: Context, reply: Omit<LoggedReply, 'at'>): Record<string, string> {
  const headers: Record<string, string> = {}
  const assumptions = [...(c.get('assumptions') ?? [])].sort().join(', ')
  if (assumptions !== '') headers['Sandbox-Assumptions'] = assumptions
  const surprising = c.get('warnings')
  // A question did not do what it warns of.
  if (surprising !== undefined && c.get('operation')?.isQuestion !== true) {
    const members = [...surprising].sort().map((slug) => `${slug}="${warnings[slug]}"`)
    headers['Sandbox-Warnings'] = members.join(', ')
  }
  // Operations can be served without any sandbox.
  const sandbox = c.get('sandbox') as Sandbox | undefined
  if (sandbox === undefined) return headers
  const { at } = turnOf(c)
  c.set('reply', { at, ...reply })
  headers['Request-Id'] = requestIdOf(c)
  headers['Sandbox-Id'] = sandbox.id
  headers['Sandbox-Time'] = at
  headers['Sandbox-Version'] = VERSION
  return headers
}
