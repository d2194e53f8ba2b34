import { expect, it } from 'vitest'
import { currencies } from '../../src/billing/currency.ts'
import {
  amountText,
  exactAmountText,
  instantText,
  toneOf,
  worthText,
} from '../../src/wire/common/text.ts'

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
  expect(exactAmountText('1500', 'JPY')).toBe('1500 JPY')
})

it.each([
  ['2027-02-01T00:00:00.000Z', '2027-02-01'],
  ['2027-02-01T10:30:00.000Z', '2027-02-01 10:30'],
  ['2027-02-01T00:00:05.000Z', '2027-02-01 00:00:05'],
  ['2027-02-01T00:00:00.001Z', '2027-02-01 00:00:00.001'],
  ['soon', 'soon'],
])('shows the instant %s as %s', (instant, text) => {
  expect(instantText(instant)).toBe(text)
})

it.each([
  [{ type: 'percentage', value: 20, currency: null }, '20 %'],
  [{ type: 'trial_extension', value: 14, currency: null }, '14 days'],
  [{ type: 'fixed', value: 500, currency: 'USD' }, '5.00 USD'],
  [{ type: 'fixed', value: 500 }, '500'],
])('says of %o that it takes off or adds %s', (coupon, text) => {
  expect(worthText(coupon)).toBe(text)
})

it.each([
  ['active', 'good'],
  ['trialing', 'waiting'],
  ['past_due', 'bad'],
  ['canceled', 'over'],
])('shows the status %s as %s', (status, tone) => {
  expect(toneOf(status)).toBe(tone)
})
