/** Calls of a server of sandboxes, whatever it answers. */

/** What a call carries: `of` goes into the header Sandbox-Id, `key` into Authorization. */
export interface Sent {
  readonly of?: string
  readonly key?: string
  /** A value to send as JSON; a text goes as it is. */
  readonly body?: unknown
}

/** Calls a server, whatever it answers. */
export async function askAt(base: string, ...[method, path, sent = {}]: [string, string, Sent?]) {
  const { of, key, body } = sent
  const headers = {
    ...(of !== undefined && { 'Sandbox-Id': of }),
    ...(key !== undefined && { Authorization: `Bearer ${key}` }),
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
  }
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const answer = await fetch(`${base}${path}`, {
    method,
    headers,
    ...(text !== undefined && { body: text }),
  })
  return {
    status: answer.status,
    headers: answer.headers,
    sandbox: answer.headers.get('sandbox-id'),
    text: await answer.text(),
  }
}
