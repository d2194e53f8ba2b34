import { describe, expect, it } from 'vitest'
import { marksOf } from '../../src/dashboard/timeline/marks.ts'
import type { LaneSources } from '../../src/dashboard/timeline/spans.ts'
import { at, due, event, lane, noInvoice, record } from '../support/lanes.ts'

const canceling = { ...record, cancel_at_period_end: true }

function textsOf(agenda: LaneSources['agenda']) {
  return lane({ agenda }).moments.map(({ kind, text, note }) => ({ kind, text, note }))
}

describe('the end of a lane to come', () => {
  it('is said to be where a failing payment brings it, and not only at the end of the period', () => {
    const subscription = { ...canceling, status: 'past_due' }
    const agenda = [
      due('2027-02-12', 'payment_retry', 'past_due'),
      due('2027-02-14', 'payment_retry', 'canceled'),
    ]
    expect(lane({ subscription, agenda }).words).toBe('past due, ends 2027-02-14')
    // What is beyond the window is as the record says.
    expect(lane({ subscription: canceling }).words).toContain(', ends 2027-03-01')
  })

  it('is not said of a paused one, whose period has no end until it is resumed', () => {
    const events = [event('2027-02-05', 'subscription.paused')]
    const subscription = { ...canceling, status: 'on_hold' }
    expect(lane({ subscription, events }).words).toBe('on hold since 2027-02-05')
  })

  it('follows a first payment that fails where no retry is scheduled', () => {
    expect(textsOf([due('2027-03-01', 'period_end', 'canceled')])).toEqual([
      { kind: 'failed', text: 'renews, the payment fails: 10.00 USD', note: '10.00' },
      {
        kind: 'ended',
        text: 'no attempt is left, and the subscription ends (canceled)',
        note: 'will be canceled 2027-03-01, after attempt 1',
      },
    ])
    const scheduled = { ...due('2027-03-01', 'period_end', 'canceled'), ...noInvoice }
    expect(textsOf([scheduled])[0]?.note).toBe('will be canceled 2027-03-01, as scheduled')
  })

  it('is none where one of two open invoices is paid', () => {
    const paid = { invoice_status: 'paid' } as const
    const agenda = [
      due('2027-03-01', 'period_end', 'past_due'),
      { ...due('2027-03-02', 'payment_retry', 'past_due'), ...paid },
      { ...due('2027-04-01', 'period_end', 'past_due'), ...paid },
    ]
    expect(textsOf(agenda).slice(1)).toEqual([
      {
        kind: 'recovered',
        text: 'the payment is tried again and succeeds, still past due: 10.00 USD',
        note: '10.00',
      },
      { kind: 'period', text: 'renews, still past due: 10.00 USD', note: '10.00' },
    ])
  })
})

describe('the discount of a lane', () => {
  const dates = { starts_at: at('2027-02-03'), ends_at: null, duration_in_months: null }
  const terms = { coupon_id: 'TAKE5', type: 'fixed', value: 500, ...dates } as const
  const agenda = [
    due('2027-02-20', 'payment_retry', 'active'),
    { ...due('2027-03-01', 'period_end', 'active'), discount_total: 500 },
  ]
  const discountOf = (duration: 'once' | 'forever', items = agenda) => {
    const subscription = { ...record, discounts: [{ ...terms, duration }] }
    return lane({ subscription, agenda: items }).ribbons[0]
  }

  it('ends with the next invoice where it is taken once', () => {
    const once = { until: at('2027-03-01'), words: '-5.00 USD, ends 2027-03-01' }
    expect(discountOf('once')).toMatchObject(once)
    expect(discountOf('forever')).toMatchObject({ until: null, words: '-5.00 USD' })
  })

  it('stays where the next invoice does not have it, and is in the currency of what was billed', () => {
    const without = [{ ...due('2027-03-01', 'period_end', 'active'), currency: 'JPY' }]
    expect(discountOf('once', without)).toMatchObject({ until: null, words: '-500 JPY' })
  })
})

it('begins with its beginning, also where a coupon is applied at once', () => {
  const events = [
    event('2027-02-03', 'subscription.created', { status: 'active', plan: 'basic' }),
    event('2027-02-03', 'discount.applied', { coupon_id: 'SAVE20', starts_at: at('2027-02-03') }),
  ]
  const window = { from: at('2027-01-01'), until: at('2027-04-01') }
  expect(marksOf(lane({ events }), window).map(({ kind }) => kind)).toEqual(['started'])
})
