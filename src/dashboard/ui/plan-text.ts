/** Plans as people read them. */
import type { Schemas } from '../../library/sandbox.ts'
import { amountText } from '../../wire/text.ts'

/** What a plan costs: `10.00 USD a month`, `30.00 USD every 3 months`. */
export function priceText({
  amount,
  currency,
  interval,
  interval_count: count,
}: Schemas['Plan']): string {
  const often = count === 1 ? `a ${interval}` : `every ${count} ${interval}s`
  return `${amountText(amount, currency)} ${often}`
}
