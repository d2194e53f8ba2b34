/** Whether a pact is between the consumer and the provider under whose names it is published. */
import type { PactName } from '../../pacts/published-pacts.ts'
import { fieldsRefused, printValue } from '../../surface/field-problems.ts'

/** Between whom a pact is, as it says itself. */
export type Parties = Pick<PactName, 'consumer' | 'provider'>

/** Throws 400 where a pact is between others than its address says; `where` goes before the field. */
export function sameParties(pact: Parties, named: Parties, where = ''): void {
  sameText(`${where}consumer.name`, pact.consumer, named.consumer)
  sameText(`${where}provider.name`, pact.provider, named.provider)
}

/** Throws 400 where a field has another text than the one that it repeats. */
export function sameText(field: string, got: string, wanted: string): void {
  if (got === wanted) return
  const message = `${field} must be ${printValue(wanted)}, as it is published; got ${printValue(got)}.`
  throw fieldsRefused([{ field, message }])
}
