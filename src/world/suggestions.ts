/** Suggestions for an unknown name: the nearest name, and the existing names. Owns how many names are compared. */
import { distance } from 'fastest-levenshtein'

/** The number of names compared in a large collection, so that a refusal stays cheap. */
const COMPARED_MAX = 1000

/** A collection up to this size is listed whole; of a larger one, `NEAREST_MAX` names are listed. */
const LISTED_MAX = 10
const NEAREST_MAX = 5

/** The existing names; the keys of a map serve. */
export interface Existing {
  readonly size: number
  keys(): Iterable<string>
}

/** The message about an unknown name: `plan "basc" does not exist; did you mean "basic"? Plans: ...` */
export function missingMessage(field: string, id: string, existing: Existing): string {
  const kind = kindOf(field)
  const missing = `${field} ${JSON.stringify(id)} does not exist; `
  if (existing.size === 0) return `${missing}there are no ${kind}.`
  const names = firstOf(existing.keys(), COMPARED_MAX)
  const ranked = names
    .map((name) => ({ name, away: distance(name.toLowerCase(), id.toLowerCase()) }))
    .sort((one, other) => one.away - other.away)
  const [nearest] = ranked
  const isLikely = nearest !== undefined && nearest.away <= Math.max(1, Math.floor(id.length / 3))
  const guess = isLikely ? `did you mean ${JSON.stringify(nearest.name)}? ` : ''
  const isWhole = existing.size <= LISTED_MAX
  const listed = isWhole ? names : ranked.slice(0, NEAREST_MAX).map(({ name }) => name)
  const title = isWhole ? kind : `${kind} (${NEAREST_MAX} of ${existing.size})`
  return `${missing}${guess}${isLikely ? capitalized(title) : title}: ${listed.join(', ')}.`
}

const kinds: Readonly<Record<string, string>> = {
  // The only `name` in a request that refers to a record is that of a checkpoint.
  name: 'checkpoints',
  code: 'promotions',
  promotion_code: 'promotions',
  family_id: 'token families',
  sandbox: 'sandboxes',
  sandbox_id: 'sandboxes',
}

/** `until.subscription_id` refers to a subscription, `applies_to_plans` to plans. */
function kindOf(field: string): string {
  const name = field.replace(/^.*\./, '')
  const kind = name.replace(/^applies_to_|_id$/g, '').replace(/s$/, '')
  return kinds[name] ?? `${kind.replace(/y$/, 'ie')}s`
}

function firstOf(names: Iterable<string>, max: number): string[] {
  const first: string[] = []
  for (const name of names) {
    if (first.length === max) break
    first.push(name)
  }
  return first
}

function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}
