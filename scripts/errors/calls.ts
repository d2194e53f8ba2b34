/** Makes the calls of the table of errors. */
import { once } from 'node:events'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { brackets, bracketsOf } from './catalogue.ts'
import type { ErrorCall, Provocation } from './row.ts'

/** Makes calls in order. Throws where one is refused. */
export async function makeCalls(url: string, calls: Provocation): Promise<void> {
  for (const sent of calls.flatMap(eachOf)) {
    for (let isDone = false; !isDone; ) {
      const { status, body } = await sendCall(url, sent)
      if (status >= 400) throw new Error(`${sent.path} is refused: ${body}`)
      isDone = body.includes(sent.until ?? '')
    }
  }
}

/** Sends one call. A stream stays open. */
export async function sendCall(url: string, { method, path, headers = {}, body }: ErrorCall) {
  const [target = ''] = path.split('#')
  const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) }
  const typed = body === undefined ? {} : { 'Content-Type': 'application/json', ...length }
  const options = { method, headers: { ...typed, ...headers }, agent: false }
  const sent = request(new URL(target, url), options)
  // A refusal may come before the server has read the body, which it then leaves.
  sent.on('error', () => undefined)
  sent.end(body)
  const [response] = await once(sent, 'response')
  const isStream = response.headers['content-type']?.startsWith('text/event-stream') === true
  return { status: response.statusCode as number, body: isStream ? '' : await text(response) }
}

/** The calls that the brackets in a path or body stand for. */
function eachOf(sent: ErrorCall): ErrorCall[] {
  const { path, body } = sent
  const [from, to] = bracketsOf(sent) ?? [0, 0]
  const numbers = Array.from({ length: to - from + 1 }, (_, at) => String(from + at))
  return numbers.map((number) => ({
    ...{ ...sent, path: path.replace(brackets, number) },
    ...(body !== undefined && { body: body.replace(brackets, number) }),
  }))
}
