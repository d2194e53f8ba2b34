/**
 * The result of a command: a value with the assumptions that it uses, or a refusal. Owns the lookup of the records that
 * a request names.
 */
import type { AssumptionSlug } from '../assumptions/register.ts'
import { refuse } from '../billing/refusal.ts'
import type { Refusal } from './refusal.ts'
import { type Existing, missingMessage } from './suggestions.ts'

export interface Executed<Value> {
  readonly value: Value
  readonly assumptions: readonly AssumptionSlug[]
}

export function executed<Value>(
  value: Value,
  assumptions: readonly AssumptionSlug[] = [],
): Executed<Value> {
  return { value, assumptions }
}

/** The record that a field names, or a refusal that lists the existing records. */
export function find<Value>(
  records: ReadonlyMap<string, Value>,
  name: { readonly field: string; readonly id: string },
): Value | Refusal {
  return records.get(name.id) ?? notFound(name, records)
}

/** Refuses a name that no record has; null if one has it. */
export function refuseUnknown(
  records: ReadonlyMap<string, unknown>,
  name: { readonly field: string; readonly id: string },
): Refusal | null {
  return records.has(name.id) ? null : notFound(name, records)
}

/** Refuses a request that names something that does not exist. */
export function notFound(
  { field, id }: { readonly field: string; readonly id: string },
  existing: Existing,
): Refusal {
  return refuse('not_found', missingMessage(field, id, existing), ['error-codes'])
}
