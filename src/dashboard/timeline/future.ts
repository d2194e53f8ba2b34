/** The invoices to come of one subscription. A look ahead settles what falls due for everybody, so it is not always far. */
import type { Schemas } from '../../library/sandbox.ts'
import { answered } from '../../library/transport.ts'
import type { Visit } from '../visit.ts'

/** With more subscriptions, a look ahead goes as far as one period. */
const FEW = 200

/** How many invoices to come are worked out: a long look ahead costs little where there are few subscriptions. */
const INVOICES = { few: 100, many: 6 } as const

export type Future = Pick<Schemas['Forecast'], 'data' | 'complete_until'>

export function hasFew({ summary }: Visit): boolean {
  return (summary.counts['subscriptions'] ?? 0) <= FEW
}

/** Null for one that has ended. */
export async function futureOf(
  visit: Visit,
  { subscription_id, current_period_end: end, ended_at }: Schemas['SubscriptionRecord'],
): Promise<Future | null> {
  if (ended_at !== null) return null
  const { control, summary, query } = visit
  const isFar = hasFew(visit) || query('ahead') === 'year'
  if (!isFar && end <= summary.now) {
    return { data: [], complete_until: summary.now }
  }
  const limit = hasFew(visit) ? INVOICES.few : INVOICES.many
  const ahead = { limit, ...(isFar ? {} : { until: end }) }
  return answered(
    control.GET('/sandbox/subscriptions/{subscription_id}/forecast', {
      params: { path: { subscription_id }, query: ahead },
    }),
  )
}
