/** Values as people read them: short dates, amounts with their currency, and nothing as a dash. */

/** A record that an operation answered. */
export type Fields = Readonly<Record<string, unknown>>

const moneyFields =
  /^(amount|amount_due|amount_paid|subtotal|discount_total|balance|balance_used|paid|due|uncollectible)$/

const instant = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(:\d\d\.\d{3})Z$/

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
  if (typeof value === 'string') return day(value)
  if (Array.isArray(value)) {
    return value.length === 0 ? '-' : value.map((each) => textFor(each, currency)).join(', ')
  }
  if (typeof value !== 'object') return String(value)
  return objectText(value as Fields, currency)
}

/** An object in one line: what it is called by where it has a name, else its fields. */
function objectText(value: Fields, currency: unknown): string {
  if ('coupon_id' in value && 'type' in value) {
    return `${value['coupon_id']} ${worth(Number(value['value']), value)}`
  }
  if ('kind' in value && 'id' in value) return String(value['id'])
  const shown = Object.keys(value).filter((name) => {
    const each = value[name]
    const isNothing = each === null || each === false || (each === 0 && !moneyFields.test(name))
    return !isNothing && name !== 'currency' && JSON.stringify(each) !== '{}'
  })
  const texts = shown.map((name) => `${label(name)} ${cellOf(value, name, currency)}`)
  return texts.length === 0 ? '-' : texts.join(', ')
}

/** `current_period_end` becomes `current period end`. */
export function label(name: string): string {
  return name.replaceAll('_', ' ')
}

/** An instant to the minute, or to the day at midnight; other texts as they are. */
export function day(text: string): string {
  const [, date, minute, rest] = instant.exec(text) ?? []
  if (date === undefined) return text
  if (rest !== ':00.000') return `${date} ${minute}${rest?.replace('.000', '')}`
  return minute === '00:00' ? date : `${date} ${minute}`
}

/** An amount of minor units, exactly: `8.00 USD`. */
function money(amount: number, currency: unknown): string {
  if (typeof currency !== 'string') return String(amount)
  const style = { style: 'currency', currency } as const
  const { maximumFractionDigits: decimals = 2 } = new Intl.NumberFormat(
    'en',
    style,
  ).resolvedOptions()
  const digits = String(Math.abs(amount)).padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = decimals === 0 ? '' : `.${digits.slice(-decimals)}`
  return `${amount < 0 ? '-' : ''}${whole}${fraction} ${currency}`
}

/** What a coupon or a discount takes off. */
function worth(value: number, record: Fields): string {
  if (record['type'] === 'percentage') return `${value} %`
  if (record['type'] === 'trial_extension') return `${value} days`
  return money(value, record['currency'])
}
