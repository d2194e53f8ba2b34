/** The next invoice of a subscription, as a preview shows it. */
import type { InvoiceToCome } from '../preview.ts'
import type { NamedValue } from '../ui/table.tsx'
import { At, MoneyText, Nothing } from '../ui/values.tsx'

/** When it is made, and what is due then. */
export function nextInvoiceFacts(next: InvoiceToCome | null): NamedValue[] {
  if (next === null) return [['Next invoice', <Nothing />]]
  return [
    ['Next invoice', <At instant={next.created_at} />],
    ['Due then', <MoneyText amount={next.amount_due} currency={next.currency} />],
  ]
}
