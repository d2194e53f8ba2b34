/**
 * Assumptions on an answer: collects what shaped it beyond the interface document, for the stamp to say so in the
 * header `Sandbox-Assumptions`. What each assumption is stands in the register.
 */

import type { Context } from 'hono'
import type { AssumptionSlug } from '../assumptions/register.ts'
import type { Declaration } from '../surface/operation.ts'

declare module 'hono' {
  interface ContextVariableMap {
    /** What this answer rests on so far; absent where nobody reports it. */
    assumptions?: Set<AssumptionSlug>
    /** The operation that is asked for, once path and method have named one. */
    operation?: Declaration
  }
}

/** Has the stamp say which assumptions shaped the answer to this request. */
export function reportAssumptions(c: Context): void {
  c.set('assumptions', new Set())
}

/** What the answer to this request rests on, as its header says it; null where nothing is to be said. */
export function assumptionsOf(c: Context): string | null {
  return [...(c.get('assumptions') ?? [])].sort().join(', ') || null
}

/** Notes that the answer to this request rests on assumptions. */
export function noteAssumptions(c: Context, slugs: readonly AssumptionSlug[]): void {
  for (const slug of slugs) c.get('assumptions')?.add(slug)
}
