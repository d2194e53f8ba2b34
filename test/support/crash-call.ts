/** How the crash rounds call a sandbox, and what they say when something is gone. */
import type { Served } from './process.ts'

/** Gets a path, or posts to it where there is something to post. */
export function send<Body>(sandbox: Served, path: string, body?: object): Promise<Body> {
  return call(sandbox, body === undefined ? `GET ${path}` : `POST ${path}`, { body })
}

/** Calls `METHOD /path` for a sandbox of the process; throws on any answer but a good one. */
export async function call<Body>(
  { url }: Served,
  operation: string,
  { body, of = 'default' }: { readonly body?: object | undefined; readonly of?: string },
): Promise<Body> {
  const [method = '', path = ''] = operation.split(' ')
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { Authorization: `Bearer sk_sandbox_${of}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${operation} answered ${response.status}: ${text}`)
  return (text === '' ? null : JSON.parse(text)) as Body
}

/** Throws with what is wrong unless it holds. */
export function must(holds: boolean, message: string): void {
  if (!holds) throw new Error(message)
}
