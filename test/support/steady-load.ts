/** Load on many sandboxes of a server, until it is stopped. */
import { askAt } from './ask-at.ts'

const LANES = 4

/** One customer that was to be made: status of the answer, 0 without one, and how long it took. */
export interface Made {
  readonly of: string
  readonly customerId: string
  readonly status: number
  readonly tookMs: number
}

/** Makes one customer after another in these sandboxes, each of its own name, a few at a time. */
export function startLoad(url: string, sandboxes: readonly string[], prefix = 'cus') {
  const made: Made[] = []
  let isOver = false
  const makeOne = async (at: number) => {
    const of = sandboxes[at % sandboxes.length] ?? ''
    const customerId = `${prefix}_${at}`
    const startedAt = performance.now()
    const body = { customer_id: customerId }
    const status = await askAt(url, 'POST', '/sandbox/customers', { of, body }).then(
      (answer) => answer.status,
      unanswered,
    )
    made.push({ of, customerId, status, tookMs: performance.now() - startedAt })
  }
  const lanes = Array.from({ length: LANES }, async (_, lane) => {
    for (let at = lane; !isOver; at += LANES) await makeOne(at)
  })
  return {
    /** Ends when the calls under way are answered; answers all that were made. */
    stop: async (): Promise<readonly Made[]> => {
      isOver = true
      await Promise.all(lanes)
      return made
    },
  }
}

/** A kept connection may be closed just as the next request is sent: that request has no answer. */
function unanswered(error: Error): 0 {
  const { code } = (error.cause ?? {}) as NodeJS.ErrnoException
  if (code === 'UND_ERR_SOCKET' || code === 'ECONNRESET' || code === 'EPIPE') return 0
  throw error
}

/** Does the work for each item, a few at a time; answers in the order of the items. */
export async function inLanes<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const queue = items.entries()
  const lane = async () => {
    for (const [at, item] of queue) results[at] = await work(item)
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  return results
}
