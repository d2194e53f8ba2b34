/** Checks that a pact names the consumer and the provider that it is published for. */
import type { PactName } from '../../provider/published-pacts.ts'
import { invalidField, printValue } from '../../surface/refusals.ts'

/** The consumer and the provider that a pact names. */
export type Parties = Pick<PactName, 'consumer' | 'provider'>

/** Throws 400 if a pact names others than its address; `where` is put before the field. */
export function assertParties(pact: Parties, named: Parties, where = ''): void {
  assertText(`${where}consumer.name`, pact.consumer, named.consumer)
  assertText(`${where}provider.name`, pact.provider, named.provider)
}

/** Throws 400 if a field does not have the wanted text. */
export function assertText(field: string, got: string, wanted: string): void {
  if (got === wanted) return
  const rule = `must be ${printValue(wanted)}, as it is published; got ${printValue(got)}`
  throw invalidField(field, rule)
}
