import { expect, it } from 'vitest'
import { currencies } from '../../src/billing/currency.ts'
import { amountText, exactAmountText } from '../../src/wire/common/text.ts'

it.each([...currencies])('shows a minor unit of %s with %i decimals', (currency, decimals) => {
  expect(amountText(1, currency)).toBe(`${(10 ** -decimals).toFixed(decimals)} ${currency}`)
})

it.each([
  ['HUF', 199_000, '1990.00 HUF'],
  ['IDR', 5_000_000, '50000.00 IDR'],
  ['IQD', -1500, '-1.500 IQD'],
  ['KWD', 5, '0.005 KWD'],
  ['JPY', 1500, '1500 JPY'],
])('shows an amount of %s by the minor unit of ISO 4217', (currency, amount, text) => {
  expect(amountText(amount, currency)).toBe(text)
})

it('shows decimals of a minor unit after those of the currency', () => {
  expect(exactAmountText('2020.48', 'HUF')).toBe('20.2048 HUF')
  expect(exactAmountText('-0.5', 'JPY')).toBe('-0.5 JPY')
  expect(exactAmountText('1.25', 'KWD')).toBe('0.00125 KWD')
})
