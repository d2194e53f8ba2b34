/**
 * Assumptions on an answer: collects what shaped it beyond the interface document, for the stamp to say so in the
 * header `Sandbox-Assumptions`. What each assumption is stands in the register.
 */

import type { Context } from 'hono'
import type { AssumptionSlug } from '../assumptions/register.ts'
import type { Declaration } from '../surface/operation.ts'
import { orThrow } from '../surface/refusals.ts'
import type { Executed } from '../world/answer.ts'
import type { Refusal } from '../world/refusal.ts'

declare module 'hono' {
  interface ContextVariableMap {
    /** Identifies the request in logs, events and the journal. */
    requestId: string
    /** What this answer leans on so far, sorted; absent where nobody reports it. */
    assumptions: AssumptionSlug[]
    /** The operation that is asked for, once path and method have named one. */
    operation: Declaration
  }
}

/** Has the stamp say which assumptions shaped the answer to this request. */
export function reportAssumptions(c: Context): void {
  c.set('assumptions', [])
}

/** What the answer to this request leans on, as its header says it; null where nothing is to be said. */
export function assumptionsOf(c: Context): string | null {
  return notedOf(c)?.join(', ') || null
}

/** Notes that the answer to this request leans on assumptions. */
export function noteAssumptions(c: Context, leaned: readonly AssumptionSlug[]): void {
  const noted = notedOf(c)
  if (noted === undefined) return
  for (const slug of leaned) {
    const at = noted.findIndex((each) => each >= slug)
    if (at === -1) noted.push(slug)
    else if (noted[at] !== slug) noted.splice(at, 0, slug)
  }
}

function notedOf(c: Context): AssumptionSlug[] | undefined {
  return c.get('assumptions')
}

/** What the sandbox answered, with what it leans on noted; throws where it refused. */
export function valueFrom<Value>(c: Context, answer: Executed<Value> | Refusal): Value {
  const { value, assumptions: leaned } = orThrow(answer)
  noteAssumptions(c, leaned)
  return value
}
