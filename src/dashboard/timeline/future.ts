/** The invoices to come of one subscription. */
import type { Schemas } from '../../library/sandbox.ts'
import { answered } from '../../library/transport.ts'
import type { PageContext } from '../page-context.ts'

/** How many invoices to come are read. */
const LIMIT = 100

export type Future = Pick<Schemas['Forecast'], 'data' | 'complete_until'>

/** A year ahead; null for a subscription that has ended. */
export async function futureOf(
  { control }: PageContext,
  { subscription_id, ended_at }: Schemas['SubscriptionRecord'],
): Promise<Future | null> {
  if (ended_at !== null) return null
  const params = { path: { subscription_id }, query: { limit: LIMIT } }
  return answered(control.GET('/sandbox/subscriptions/{subscription_id}/forecast', { params }))
}
