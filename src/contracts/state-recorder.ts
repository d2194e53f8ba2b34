/**
 * A proxy for state changes that records their answers, because the core does not say why one failed. It passes every
 * byte on unchanged.
 */
import * as z from 'zod'
import { jsonIn } from './json.ts'
import type { LoopbackServer } from './loopback-server.ts'
import { startRecorder } from './recorder.ts'

/** The setup of one state, and its answer. */
export interface StateCall {
  readonly state: string
  readonly status: number
  readonly body: string
}

/** The address for the core, and the state changes so far. */
export interface StateRecorder extends LoopbackServer {
  /** Setups in the order of their answers. Teardowns are passed on and not recorded. */
  readonly calls: readonly StateCall[]
}

const StateChange = z.object({ state: z.string(), action: z.literal('setup') })

/** Listens on loopback and passes everything on to `target`, with the headers `own`. */
export async function startStateRecorder(
  target: string,
  own: Readonly<Record<string, string>> = {},
): Promise<StateRecorder> {
  const calls: StateCall[] = []
  const { origin, pathname, search } = new URL(target)
  const { url, close } = await startRecorder({
    url: origin,
    changes: { headers: own, key: null },
    setups: () => 0,
    unanswered: 'why',
    onExchange: ({ body: sent, answer, failure }) => {
      // What is not JSON is no state change of the core's; the provider says so itself.
      const change = StateChange.safeParse(jsonIn(sent))
      if (!change.success) return
      const unreached = { status: 502, body: `${target} cannot be reached: ${failure}` }
      const { status, body } = answer ?? unreached
      calls.push({ state: change.data.state, status, body })
    },
  })
  return { url: `${url}${pathname}${search}`, calls, close }
}
