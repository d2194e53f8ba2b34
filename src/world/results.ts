/**
 * The result of a command: a value with the assumptions that it uses, or a refusal. Owns the lookup of the records that
 * a request names, and what is suggested for an unknown name.
 */
import { distance } from 'fastest-levenshtein'
import type { AssumptionSlug } from '../assumptions/register.ts'
import { refuse } from '../billing/refusal.ts'
import type { Refusal } from './refusal.ts'

export interface Success<Value> {
  readonly value: Value
  readonly assumptions: readonly AssumptionSlug[]
}

export function success<Value>(
  value: Value,
  assumptions: readonly AssumptionSlug[] = [],
): Success<Value> {
  return { value, assumptions }
}

/** The record that a field names, or a refusal that lists the existing records. */
export function findRecord<Value>(
  records: ReadonlyMap<string, Value>,
  field: string,
  id: string,
): Value | Refusal {
  return records.get(id) ?? notFound(records, field, id)
}

/** The refusal of a name that no record has; null if one has it. */
export function checkExists(
  records: ReadonlyMap<string, unknown>,
  field: string,
  id: string,
): Refusal | null {
  return records.has(id) ? null : notFound(records, field, id)
}

/** The refusal of a request that names something that does not exist. */
export function notFound(existing: Existing, field: string, id: string): Refusal {
  return refuse('not_found', missingMessage(field, id, existing), ['error-codes'])
}

/** The number of names compared in a large collection, so that a refusal stays cheap. */
const COMPARED_MAX = 1000
const COMPARED_LENGTH_MAX = 255

/** A collection up to this size is listed whole; of a larger one, `NEAREST_MAX` names are listed. */
const LISTED_MAX = 10
const NEAREST_MAX = 5

/** The existing names; the keys of a map serve. */
interface Existing {
  readonly size: number
  keys(): Iterable<string>
}

/** The message about an unknown name: `plan "basc" does not exist; did you mean "basic"? Plans: ...` */
function missingMessage(field: string, id: string, existing: Existing): string {
  const kind = kindOf(field)
  const missing = `${field} ${JSON.stringify(id)} does not exist; `
  if (existing.size === 0) return `${missing}there are no ${kind}.`
  const names = takeFirst(existing.keys(), COMPARED_MAX)
  const { ranked, likely } = nearestNames(id, names)
  const guess = likely === null ? '' : `did you mean ${JSON.stringify(likely)}? `
  const isWhole = existing.size <= LISTED_MAX
  const listed = isWhole ? names : ranked.slice(0, NEAREST_MAX)
  const title = isWhole ? kind : `${kind} (${NEAREST_MAX} of ${existing.size})`
  return `${missing}${guess}${guess === '' ? title : capitalize(title)}: ${listed.join(', ')}.`
}

/** Names, nearest to a text first, and the one likely meant: a near one, else the only one that contains it or is within it. */
export function nearestNames(text: string, names: readonly string[]) {
  if (text.length > COMPARED_LENGTH_MAX) return { ranked: names, likely: null }
  const compared = names
    .map((name) => ({ name, away: distance(name.toLowerCase(), text.toLowerCase()) }))
    .sort((one, other) => one.away - other.away)
  const ranked = compared.map(({ name }) => name)
  const isNear = (compared[0]?.away ?? text.length) <= Math.max(1, Math.floor(text.length / 3))
  const parts = ranked.filter((name) => isPart(name, text) || isPart(text, name))
  const [likely = null] = isNear || parts.length > 1 ? ranked.slice(0, Number(isNear)) : parts
  return { ranked, likely }
}

const isPart = (part: string, whole: string) => part !== '' && `_${whole}`.includes(`_${part}`)

const kinds: Readonly<Record<string, string>> = {
  // The only `name` in a request that refers to a record is that of a checkpoint.
  name: 'checkpoints',
  code: 'promotions',
  promotion_code: 'promotions',
  family_id: 'token families',
  'q[][pacticipant]': 'pacticipants',
  sandbox: 'sandboxes',
  sandbox_id: 'sandboxes',
}

/** `until.subscription_id` refers to a subscription, `applies_to_plans` to plans. */
function kindOf(field: string): string {
  const name = field.replace(/^.*\.|\[\d+\]$/g, '')
  const kind = name.replace(/^applies_to_|_id$/g, '').replace(/s$/, '')
  return kinds[name] ?? `${kind.replace(/y$/, 'ie')}s`
}

function takeFirst(names: Iterable<string>, max: number): string[] {
  const first: string[] = []
  for (const name of names) if (first.push(name) === max) break
  return first
}

function capitalize(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}
