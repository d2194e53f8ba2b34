/** Suggestions for a name that does not exist: the nearest one, and what there is. Owns how much is looked at. */
import { distance } from 'fastest-levenshtein'

/** What is compared of a large collection: the first so many, so that a refusal stays cheap. */
const COMPARED_MAX = 1000

/** A collection up to this size is listed whole; of a larger one, as many as `NEAREST_MAX`. */
const LISTED_MAX = 10
const NEAREST_MAX = 5

/** The names that exist; a map's keys serve. */
export interface Existing {
  readonly size: number
  keys(): Iterable<string>
}

/** The message about a field that names nothing: `plan "basc" does not exist; did you mean "basic"? Plans: ...` */
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
  // That of a checkpoint is the only one that names something.
  name: 'checkpoints',
  code: 'promotions',
  promotion_code: 'promotions',
  family_id: 'token families',
  sandbox: 'sandboxes',
  sandbox_id: 'sandboxes',
}

/** `until.subscription_id` names one of the subscriptions, `applies_to_plans` of the plans. */
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
