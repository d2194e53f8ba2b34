/** Amounts, instants and statuses as people read them, and words as a POSIX shell does. Owns no words about what they mean. */
import { decimalsOf } from '../../billing/currency.ts'

const instant = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(:\d\d\.\d{3})Z$/

/** An instant to the minute, or to the day at midnight; other texts as they are. */
export function instantText(text: string): string {
  const [, date, minute, rest] = instant.exec(text) ?? []
  if (date === undefined) return text
  if (rest !== ':00.000') return `${date} ${minute}${rest?.replace('.000', '')}`
  return minute === '00:00' ? date : `${date} ${minute}`
}

/** The fields that are amounts of the currency of their record. */
export const moneyFields =
  /^(amount|amount_due|amount_paid|subtotal|discount_total|balance|balance_used|paid|due|uncollectible)$/

/** An amount of minor units, exactly, with the decimals that ISO 4217 gives its currency: `8.00 USD`. */
export function amountText(amount: number, currency: string): string {
  const decimals = decimalsOf(currency)
  const digits = String(Math.abs(amount)).padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = decimals === 0 ? '' : `.${digits.slice(-decimals)}`
  return `${amount < 0 ? '-' : ''}${whole}${fraction} ${currency}`
}

/** An amount without its currency, where there is no room for it: `8.00`. */
export function figureText(amount: number, currency: string): string {
  return amountText(amount, currency).replace(/ .*/, '')
}

/** As `amountText`, of a decimal text of minor units: `20.2048 USD` for 2020.48. */
export function exactAmountText(minorUnits: string, currency: string): string {
  const [, sign = '', whole = '0', decimals = ''] = /^(-?)(\d+)\.?(\d*)$/.exec(minorUnits) ?? []
  const [figure = ''] = amountText(Number(whole), currency).split(' ')
  const point = decimals === '' || figure.includes('.') ? '' : '.'
  return `${sign}${figure}${point}${decimals} ${currency}`
}

/** What a coupon or a discount takes off, or how long it makes a trial. */
export function worthText(
  { type, value, currency }: { type: string; value: number; currency?: string | null },
  money = amountText,
): string {
  if (type === 'percentage') return `${value} %`
  if (type === 'trial_extension') return countText(value, 'day')
  return typeof currency === 'string' ? money(value, currency) : String(value)
}

/** The statuses of each tone; any other is over. */
const tones = {
  good: ['active', 'paid', 'succeeded', 'verified', 'delivered', 'passed'],
  waiting: ['trialing', 'open', 'pending'],
  bad: ['past_due', 'failed', 'uncollectible'],
}
export type Tone = keyof typeof tones | 'over'

export function toneOf(status: string): Tone {
  const known = Object.keys(tones) as (keyof typeof tones)[]
  return known.find((each) => tones[each].includes(status)) ?? 'over'
}

/** One word of a command, which the shell hands on as it is. */
export function shellWord(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** A word of a command for people, as bare as a shell takes it. */
export function typedWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : shellWord(text)
}

/** A number of things: `1 day`, `3 days`. */
export function countText(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}

/** What a text says as JSON; undefined if it is not JSON. */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
