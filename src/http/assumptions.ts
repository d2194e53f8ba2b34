/**
 * The assumptions that shape an answer, collected for its headers `Sandbox-Assumptions` and `Sandbox-Warnings`. The
 * register describes each of them.
 */

import type { Context } from 'hono'
import type { AssumptionSlug } from '../assumptions/register.ts'
import { warnings } from '../assumptions/warnings.ts'

/** Starts an empty list of the assumptions behind the answer, which its header then reports. */
export function reportAssumptions(c: Context): void {
  c.set('assumptions', new Set())
  c.set('warnings', undefined)
}

/** The assumptions of an answer as a header; null for none. */
export function assumptionsHeader(c: Context): string | null {
  return [...(c.get('assumptions') ?? [])].sort().join(', ') || null
}

/** The warnings of an answer as a dictionary of RFC 8941; null for none. */
export function warningsHeader(c: Context): string | null {
  const slugs = [...(c.get('warnings') ?? [])].sort()
  return slugs.map((slug) => `${slug}="${warnings[slug]}"`).join(', ') || null
}

/** Adds assumptions that the answer to this request rests on. */
export function noteAssumptions(c: Context, slugs: readonly AssumptionSlug[]): void {
  for (const slug of slugs) c.get('assumptions')?.add(slug)
  noteWarnings(c, slugs)
}

/** Adds the warnings of these assumptions alone, also where assumptions are not reported. */
function noteWarnings(c: Context, slugs: readonly AssumptionSlug[]): void {
  const surprising = slugs.filter((slug) => warnings[slug] !== undefined)
  if (surprising.length > 0)
    c.set('warnings', new Set([...(c.get('warnings') ?? []), ...surprising]))
}
