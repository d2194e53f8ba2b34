/** Values in columns and lines, for people: short dates, amounts with their currency, and a dash for null. */
import { amountText, instantText, worthText } from '../wire/text.ts'

/** A record that an operation answered. */
export type Fields = Readonly<Record<string, unknown>>

const moneyFields =
  /^(amount|amount_due|amount_paid|subtotal|discount_total|balance|balance_used|paid|due|uncollectible)$/

/** The value of a field of a record; `inherited` is the currency of what the record is part of. */
export function cellOf(record: Fields, name: string, inherited?: unknown): string {
  const value = record[name]
  const currency = record['currency'] ?? inherited
  if (typeof value === 'number' && moneyFields.test(name)) return money(value, currency)
  if (name === 'value' && typeof value === 'number') return worth(value, record)
  return textFor(value, currency)
}

/** Any value in one line. */
function textFor(value: unknown, currency: unknown): string {
  if (value === null || value === undefined || value === '') return '-'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'string') return instantText(value)
  if (Array.isArray(value)) {
    return value.length === 0 ? '-' : value.map((each) => textFor(each, currency)).join(', ')
  }
  if (typeof value !== 'object') return String(value)
  return objectText(value as Fields, currency)
}

/** An object in one line: its id, or its fields if it has no id. */
function objectText(value: Fields, currency: unknown): string {
  if ('coupon_id' in value && 'type' in value) {
    return `${value['coupon_id']} ${worth(Number(value['value']), value)}`
  }
  if ('kind' in value && 'id' in value) return String(value['id'])
  const named = Object.keys(value).filter((name) => {
    const each = value[name]
    const isNothing = each === null || each === false || (each === 0 && !moneyFields.test(name))
    return !isNothing && name !== 'currency' && JSON.stringify(each) !== '{}'
  })
  const texts = named.map((name) => `${label(name)} ${cellOf(value, name, currency)}`)
  return texts.length === 0 ? '-' : texts.join(', ')
}

/** `current_period_end` becomes `current period end`. */
export function label(name: string): string {
  return name.replaceAll('_', ' ')
}

/** An amount with its currency, where that is known. */
function money(amount: number, currency: unknown): string {
  return typeof currency === 'string' ? amountText(amount, currency) : String(amount)
}

/** What a coupon or a discount takes off. */
function worth(value: number, record: Fields): string {
  const { type, currency } = record
  return worthText({
    type: String(type),
    value,
    currency: typeof currency === 'string' ? currency : null,
  })
}
