/**
 * Listens to state changes on their way to the provider and records what they were answered, because the core hides why
 * one failed. Every byte is passed on as it is.
 */

import * as z from 'zod'
import { reasonOf } from './failure.ts'
import { listenOnLoopback } from './loopback-server.ts'

/** One state that was to be set up, and the answer. */
export interface StateCall {
  readonly state: string
  readonly status: number
  readonly body: string
}

export interface StateRecorder {
  /** Where the core sends state changes. */
  readonly url: string
  /** Setups in the order in which they were answered; taking down is passed on and not recorded. */
  readonly calls: readonly StateCall[]
  readonly close: () => Promise<void>
}

const StateChange = z.object({ state: z.string(), action: z.literal('setup') })

/** Listens on loopback and passes everything on to `target`, with headers of the run's own. */
export async function startStateRecorder(
  target: string,
  own: Readonly<Record<string, string>> = {},
): Promise<StateRecorder> {
  const calls: StateCall[] = []
  const fetch = async (request: Request) => {
    const sent = await request.arrayBuffer()
    const answer = await passOn(request, sent, { target, own })
    const body = await answer.arrayBuffer()
    // What is not JSON is no state change of the core's; the provider says so itself.
    const change = StateChange.safeParse(await new Response(sent).json().catch(() => null))
    if (change.success) {
      const { state } = change.data
      calls.push({ state, status: answer.status, body: new TextDecoder().decode(body) })
    }
    return new Response(body, answer)
  }
  const { url, close } = await listenOnLoopback(fetch)
  return { url: `${url}/`, calls, close }
}

interface To {
  readonly target: string
  readonly own: Readonly<Record<string, string>>
}

async function passOn(request: Request, body: ArrayBuffer, { target, own }: To): Promise<Response> {
  const headers = new Headers(request.headers)
  // Both are of the one connection; without compression, the bytes are those of the provider.
  for (const name of ['host', 'connection', 'content-length']) headers.delete(name)
  headers.set('Accept-Encoding', 'identity')
  for (const [name, value] of Object.entries(own)) headers.set(name, value)
  try {
    return await fetch(target, { method: request.method, headers, body, redirect: 'manual' })
  } catch (error) {
    return new Response(`${target} cannot be reached: ${reasonOf(error)}`, { status: 502 })
  }
}
