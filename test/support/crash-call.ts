/** How the crash tests call a sandbox, and what they say when something is gone. */
import type { Served } from './process.ts'

/** A call: `METHOD /path`, and the sandbox that it is for. */
export interface Order {
  readonly operation: string
  readonly of?: string
  /** A value to send as JSON; a text goes as it is. */
  readonly body?: object | string
  /** What to send in place of the sandbox's own key. */
  readonly bearer?: string
}

export interface Answer {
  readonly status: number
  readonly text: string
}

/** Sends a request to a sandbox, a real one or one in this process. */
export type Send = (path: string, init: RequestInit) => Promise<Response>

/** Sends over the network. */
export function sendTo({ url }: Served): Send {
  return (path, init) => fetch(`${url}${path}`, init)
}

/** Calls, whatever comes of it. A call that a kill cut off rejects with a `TypeError`. */
export async function ask(send: Send, order: Order): Promise<Answer> {
  const { operation, of = 'default', body, bearer = `sk_sandbox_${of}` } = order
  const [method = '', path = ''] = operation.split(' ')
  const headers = {
    'Sandbox-Id': of,
    Authorization: `Bearer ${bearer}`,
    'Content-Type': 'application/json',
  }
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const response = await send(path, { method, headers, ...(text !== undefined && { body: text }) })
  return { status: response.status, text: await response.text() }
}

/** Calls a real sandbox; answers the status, and the body as text and as what its JSON holds. */
export async function attempt<Body = Record<string, unknown>>(
  sandbox: Served,
  operation: string,
  order: Omit<Order, 'operation'> = {},
): Promise<Answer & { readonly body: Body }> {
  const { status, text } = await ask(sendTo(sandbox), { operation, ...order })
  return { status, text, body: (text === '' ? null : JSON.parse(text)) as Body }
}

/** Calls a real sandbox; throws on any answer but a good one. */
export async function call<Body>(
  sandbox: Served,
  operation: string,
  order: Omit<Order, 'operation'> = {},
): Promise<Body> {
  const { status, text, body } = await attempt<Body>(sandbox, operation, order)
  if (status >= 400) throw new Error(`${operation} answered ${status}: ${text}`)
  return body
}

/** The whole state of a sandbox as text. */
export async function stateOf(sandbox: Served): Promise<string> {
  return (await attempt(sandbox, 'GET /sandbox/state')).text
}

/** Waits for work that a kill cuts off: a call that was not answered promises nothing. */
export async function untilKilled(work: Promise<void>): Promise<void> {
  await work.catch((error) => {
    if (!(error instanceof TypeError)) throw error
  })
}

/** Throws with what is wrong unless it holds. */
export function must(holds: boolean, message: string): void {
  if (!holds) throw new Error(message)
}
