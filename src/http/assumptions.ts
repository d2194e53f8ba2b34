/**
 * Assumptions on an answer: collects what shaped it beyond the interface document, for the stamp to say so in the
 * headers `Sandbox-Assumptions` and `Sandbox-Warnings`. What each assumption is stands in the register.
 */

import type { Context } from 'hono'
import type { AssumptionSlug } from '../assumptions/register.ts'
import { warnings } from '../assumptions/warnings.ts'
import type { Declaration } from '../surface/operation.ts'

declare module 'hono' {
  interface ContextVariableMap {
    /** What this answer rests on so far; absent where nobody reports it. */
    assumptions?: Set<AssumptionSlug>
    /** What it warns of so far; absent where it warns of nothing. */
    warnings?: Set<AssumptionSlug> | undefined
    /** The operation that is asked for, once path and method have named one. */
    operation?: Declaration
  }
}

/** Has the stamp say which assumptions shaped the answer to this request. */
export function reportAssumptions(c: Context): void {
  c.set('assumptions', new Set())
  c.set('warnings', undefined)
}

/** What the answer to this request rests on, as its header says it; null where nothing is to be said. */
export function assumptionsOf(c: Context): string | null {
  return [...(c.get('assumptions') ?? [])].sort().join(', ') || null
}

/** What the answer to this request warns of, as a dictionary of RFC 8941; null where it warns of nothing. */
export function warningsOf(c: Context): string | null {
  const slugs = [...(c.get('warnings') ?? [])].sort()
  return slugs.map((slug) => `${slug}="${warnings[slug]}"`).join(', ') || null
}

/** Notes that the answer to this request rests on assumptions. */
export function noteAssumptions(c: Context, slugs: readonly AssumptionSlug[]): void {
  for (const slug of slugs) c.get('assumptions')?.add(slug)
  noteWarnings(c, slugs)
}

/** Notes what of these assumptions the answer to this request warns of, also where it does not report them. */
function noteWarnings(c: Context, slugs: readonly AssumptionSlug[]): void {
  const surprising = slugs.filter((slug) => warnings[slug] !== undefined)
  if (surprising.length > 0)
    c.set('warnings', new Set([...(c.get('warnings') ?? []), ...surprising]))
}
