/** What can be seen of a sandbox, so that two that were asked for the same can be compared. */
import { deepStrictEqual } from 'node:assert'
import { type Answer, ask, must, type Send } from './crash-call.ts'

/** Everything that a sandbox keeps, but for the texts of tokens and whose request a change was for. */
export interface Seen {
  readonly state: { readonly clock: { readonly now: string } }
  readonly checkpoints: unknown
  readonly pacts: unknown
}

/** A sandbox as it is; null where there is none. */
export async function see(send: Send, of: string): Promise<Seen | null> {
  const exported = await ask(send, { operation: 'GET /sandbox/state', of })
  if (exported.status === 404) return null
  const paths = ['/sandbox/checkpoints', '/sandbox/broker/pacts']
  const [checkpoints, pacts] = await Promise.all(
    paths.map(async (path) => {
      const operation = `GET ${path}?limit=1000`
      return read<{ data: unknown }>(operation, await ask(send, { operation, of })).data
    }),
  )
  return { state: comparable(read('GET /sandbox/state', exported)), checkpoints, pacts }
}

/** What is said of pairs that differ. It takes long: a minute for two whole sandboxes on Node 26. */
export function differences(pairs: readonly (readonly [Seen | null, Seen | null])[]): string {
  return pairs
    .map(([real, expected]) => {
      try {
        deepStrictEqual(real, expected)
        return ''
      } catch (error) {
        return (error as Error).message
      }
    })
    .join('\n')
}

/** Throws unless a sandbox adds up. */
export async function mustAddUp(send: Send, of: string): Promise<void> {
  const operation = 'GET /sandbox/audit'
  const audit = read<{ ok: boolean }>(operation, await ask(send, { operation, of }))
  must(audit.ok, `the books of ${of} do not add up: ${JSON.stringify(audit)}`)
}

function read<Body>(operation: string, { status, text }: Answer): Body {
  must(status === 200, `${operation} answered ${status}: ${text}`)
  return JSON.parse(text) as Body
}

interface State {
  readonly clock: { readonly now: string }
  readonly tokens: readonly { digest: string }[]
  readonly events: readonly { cause: unknown }[]
}

/** Tokens are made up anew each time, and the count of requests goes on from the last that changed something. */
function comparable(state: State): State {
  return {
    ...state,
    tokens: state.tokens.map((token) => ({ ...token, digest: '' })),
    events: state.events.map((event) => ({ ...event, cause: null })),
  }
}
