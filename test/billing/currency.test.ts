import { codes, code as publishedAs } from 'currency-codes'
import { expect, it } from 'vitest'
import { currencies, decimalsOf, isCurrency } from '../../src/billing/currency.ts'

/** What ISO 4217 lists, and nobody pays with. */
const notPaidWith = [
  ...'BOV CHE CHW CLF COU MXV USN UYI UYW XDR XSU XUA'.split(' '),
  ...'XAG XAU XPD XPT XBA XBB XBC XBD XTS XXX'.split(' '),
]

/** What amendments 176 and 180, and the end of Cuba's second peso, changed after the published list. */
const withdrawn = ['ANG', 'BGN', 'CUC']
const added = ['XCG']

it('knows the currencies of ISO 4217 with the decimals of the published list', () => {
  const listed = codes().filter((each) => ![...notPaidWith, ...withdrawn].includes(each))
  expect([...currencies.keys()]).toEqual([...listed, ...added].sort())
  for (const each of listed)
    expect([each, decimalsOf(each)]).toEqual([each, publishedAs(each)?.digits])
  expect(decimalsOf('XCG')).toBe(2)
})

it.each([...notPaidWith, ...withdrawn, 'usd', 'US', 'ZZZ', ''])(
  'knows no currency "%s"',
  (code) => {
    expect(isCurrency(code)).toBe(false)
  },
)
