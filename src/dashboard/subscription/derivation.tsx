/** The calculation of the amounts of an invoice, as it can be read aloud. Computes no amount. */
import type { FC } from 'hono/jsx'
import type { Schemas } from '../../library/sandbox.ts'
import { exactAmountText, worthText } from '../../wire/common/text.ts'
import { Section, type SumRow, Sums } from '../ui/table.tsx'
import { groupThousands, moneyText } from '../ui/values.tsx'

type Explanation = Schemas['Explanation']

/** How an amount was rounded, as the sentence about it says. */
function roundedLabel({ text }: { readonly text: string }): string {
  return `Rounded, ${text.includes('half to even') ? 'half to even' : 'half away from zero'}`
}

export const Derivation: FC<{ explanation: Explanation }> = ({ explanation }) => {
  const { invoice, lines, discounts, sum } = explanation
  const { currency } = invoice
  const ofLines = lines.map((line, index) => {
    const title = invoice.lines[index]?.description ?? line.plan_id
    return { title, rows: lineRows(line, currency), sentence: line.text }
  })
  const ofDiscounts = discounts.map((discount, index) => ({
    title: `Discount ${index + 1} of ${discounts.length}: ${discount.coupon_id}`,
    rows: discountRows(discount, currency),
    sentence: discount.text,
  }))
  const due = { title: 'Due', rows: totalRows(invoice), sentence: `${sum}.` }
  return (
    <Section title="How the amount was calculated">
      <p class="hint">
        In sentences, amounts are minor units: 1000 is {moneyText(1000, currency)}. What is not
        rounded yet is shown to nine decimals of a minor unit.
      </p>
      <ol class="derivation">
        {[...ofLines, ...ofDiscounts, due].map(({ title, rows, sentence }) => (
          <li>
            <h3>{title}</h3>
            <Sums caption={title} rows={rows} />
            <p class="sentence">{sentence}</p>
          </li>
        ))}
      </ol>
    </Section>
  )
}

/** From the lines to the amount due, each discount by its name. */
export function totalRows(invoice: Schemas['Invoice']): SumRow[] {
  const { currency, discounts, balance_used: used } = invoice
  const money = (amount: number) => moneyText(amount, currency)
  return [
    ['Subtotal', money(invoice.subtotal)],
    ...discounts.map((each): SumRow => [`Discount ${each.coupon_id}`, money(-each.amount)]),
    // An invoice below zero adds to the balance.
    [used < 0 ? 'Added to the customer balance' : 'Customer balance used', money(-used)],
    ['Due', money(invoice.amount_due)],
  ]
}

function lineRows(line: Explanation['lines'][number], currency: string): SumRow[] {
  const { plan_id: plan, amount, price, basis_amount: basis, fraction, cut } = line
  const money = (minorUnits: number) => moneyText(minorUnits, currency)
  const whole: SumRow = [`The price of ${plan} for the whole period`, money(price)]
  if (fraction === null) return [whole]
  const unpaid = basis - (line.discounts.at(-1)?.remaining ?? price)
  const isCredit = line.kind === 'proration_credit'
  const exact = groupThousands(exactAmountText(line.unrounded, currency))
  const rows: readonly (SumRow | false)[] = [
    whole,
    ...line.discounts.map(
      (each): SumRow => [
        `Discount of ${worthText({ ...each, currency }, moneyText)} (${each.coupon_id})`,
        money(-each.amount),
      ],
    ),
    unpaid !== 0 && ['Not paid, so there is nothing to credit', money(unpaid)],
    ['Remaining', money(basis)],
    ['Seconds left in the period', line.seconds_remaining],
    ['Seconds of the whole period', line.seconds_in_period],
    [`${money(isCredit ? -basis : basis)} × ${fraction}`, exact],
    [roundedLabel(line), money(amount - cut)],
    cut !== 0 && ['The credit made smaller by', money(cut)],
    cut !== 0 && ['The line', money(amount)],
  ]
  return rows.filter((row) => row !== false)
}

function discountRows(discount: Explanation['discounts'][number], currency: string): SumRow[] {
  const { type, base, unrounded, amount, remaining } = discount
  const money = (minorUnits: number) => moneyText(minorUnits, currency)
  const worth = worthText({ ...discount, currency }, moneyText)
  const taken: SumRow[] =
    type === 'fixed'
      ? [[`Discount of ${worth}, at most what remains`, money(-amount)]]
      : [
          [`${worth} of it`, groupThousands(exactAmountText(unrounded, currency))],
          [roundedLabel(discount), money(amount)],
        ]
  return [
    ['Before this discount', money(base)],
    ...taken,
    ['After this discount', money(remaining)],
  ]
}
