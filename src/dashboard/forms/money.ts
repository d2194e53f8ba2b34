/** Amounts as people type them, with the decimals of their currency. Pages send and receive integers of minor units. */
import { decimalsOf } from '../../billing/currency.ts'
import { figureText } from '../../wire/text.ts'
import type { FormValues } from '../ui/form-state.ts'

/** An amount as it is typed: `12.50`; without a currency, in minor units. */
export function typedAmount(amount: number, currency: string): string {
  return currency === '' ? String(amount) : figureText(amount, currency)
}

/** The minor units of what was typed in a field of a form that has the currency; null for a text that is no such amount. */
export function minorUnitsOf(values: FormValues, name: string): number | null {
  const typed = values.raw(name).trim()
  const text = /^\d{1,3}(,\d{3})+(\.|$)/.test(typed) ? typed.replaceAll(',', '') : typed
  const decimals = decimalsIn(values)
  const [, whole, fraction = ''] = /^(\d{1,15})(?:\.(\d+))?$/.exec(text) ?? []
  if (whole === undefined || fraction.length > decimals) return null
  return Number(`${whole}${fraction.padEnd(decimals, '0')}`)
}

/** What is wrong with such a text, which the sandbox refuses as it was typed. */
export function amountRule(values: FormValues, name: string): string {
  const currency = currencyOf(values)
  const example = typedAmount(125 * 10 ** Math.max(1, decimalsIn(values) - 1), currency)
  const what =
    currency === ''
      ? `an integer of minor units, such as ${example}, where no currency is given`
      : `an amount in ${currency}, such as ${example}`
  return `${name} must be ${what}; got ${JSON.stringify(values.raw(name))}.`
}

function decimalsIn(values: FormValues): number {
  const currency = currencyOf(values)
  return currency === '' ? 0 : decimalsOf(currency)
}

function currencyOf(values: FormValues): string {
  return values.raw('currency').trim()
}
