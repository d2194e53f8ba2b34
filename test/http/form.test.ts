import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readForm } from '../../src/http/request/form.ts'
import { FORM_FIELDS_MAX } from '../../src/surface/operation.ts'
import { SubscriptionCreate } from '../../src/wire/billing/subscription.ts'
import { NoFields } from '../../src/wire/common/fields.ts'

/** The fields of a form of which no schema says anything, so that all are text. */
function parseForm(text: string) {
  return readForm(text, NoFields, { where: 'body' })
}

it('reads fields in their order, escapes and plus signs decoded', () => {
  expect(Object.entries(parseForm('plan=a+b&name=%C3%A9%26%3D'))).toEqual([
    ['plan', 'a b'],
    ['name', 'é&='],
  ])
})

it.each([
  ['a=1&a=2', 'a must be given once; got it twice.'],
  ['a=', 'a is empty; leave it out, or give it a value.'],
  ['a', 'a is empty; leave it out, or give it a value.'],
  ['a=1&', 'The name of field 2 of the body is empty.'],
  ['=1', 'The name of field 1 of the body is empty.'],
  ['a=%', /^Field 1 of the body must have percent escapes of UTF-8/],
  ['a=%zz', /^Field 1 of the body must have percent escapes/],
  ['b=1&a=%ff', /^Field 2 of the body must have percent escapes/],
  ['a=%c0%80', /^Field 1 of the body must have percent escapes/],
])('refuses the form %s', (text, message) => {
  expect(() => parseForm(text)).toThrow(message)
})

it('has a required field given a value, and leaves others to be left out', () => {
  const read = (text: string) => () => readForm(text, SubscriptionCreate, { where: 'body' })
  expect(read('plan=')).toThrow('plan is empty; give it a value.')
  expect(read('trial_period_days=')).toThrow(
    'trial_period_days is empty; leave it out, or give it a value.',
  )
})

it('takes a hundred fields and refuses one more', () => {
  const fields = (count: number) => Array.from({ length: count }, (_, at) => `f${at}=1`).join('&')
  expect(Object.keys(parseForm(fields(FORM_FIELDS_MAX)))).toHaveLength(FORM_FIELDS_MAX)
  expect(() => parseForm(fields(FORM_FIELDS_MAX + 1))).toThrow('The body has more than 100 fields.')
})

it('reads back whatever URLSearchParams wrote', () => {
  const text = fc.string({ unit: 'grapheme', minLength: 1 })
  fc.assert(
    fc.property(fc.dictionary(text, text, { maxKeys: 20 }), (fields) => {
      const written = new URLSearchParams(fields).toString()
      expect(parseForm(written)).toEqual({ ...fields })
    }),
  )
})
