import { expect, it } from 'vitest'
import { billingEvents } from '../../src/billing/event.ts'
import { eventCounts, eventText } from '../../src/wire/events/event-text.ts'

it('has a sentence of its own for each event of billing', () => {
  const subject = { kind: 'subscription', id: 'sub_1' }
  const detail = { currency: 'USD', amount: 1, amount_due: 1 }
  const named = Object.keys(billingEvents).filter(
    (type) => eventText({ type, subject, detail }) === `${type} sub_1`,
  )
  expect(named).toEqual([])
  expect(eventText({ type: 'sandbox.reset', subject, detail })).toBe('sandbox.reset sub_1')
})

it('says of a discount no end that it does not have, and of an extension only what it adds', () => {
  const textOf = (type: string, detail: object) =>
    eventText({ type, subject: { kind: 'subscription', id: 'sub_1' }, detail: { ...detail } })
  const applied = { coupon_id: 'TAKE5', starts_at: '2027-01-01T00:00:00.000Z', ends_at: null }
  expect(textOf('discount.applied', applied)).toBe('TAKE5 applied, from 2027-01-01')
  const until = { ...applied, ends_at: '2027-04-01T00:00:00.000Z' }
  expect(textOf('discount.applied', until)).toBe('TAKE5 applied, from 2027-01-01 to 2027-04-01')
  const extended = { coupon_id: 'MORE', days: 1, period_end: '2027-02-02T00:00:00.000Z' }
  expect(textOf('trial.extended', extended)).toBe('MORE adds 1 day, until 2027-02-02')
})

it('says of a failed payment when the next attempt is, or that none is left', () => {
  const textOf = (next: string | null) => {
    const detail = { reason: 'card_declined', next_attempt_at: next }
    return eventText({ type: 'payment.failed', subject: { kind: 'invoice', id: 'inv_1' }, detail })
  }
  expect(textOf('2027-02-02T00:00:00.000Z')).toBe(
    'inv_1 failed: card_declined, next attempt 2027-02-02',
  )
  expect(textOf(null)).toBe('inv_1 failed: card_declined, no attempt is left')
})

it('says when a plan changes, or that a resume decides it', () => {
  const textOf = (detail: { to: string | null; effective_at: string | null }) => {
    const subject = { kind: 'subscription', id: 'sub_1' }
    return eventText({ type: 'subscription.plan_change_scheduled', subject, detail })
  }
  const at = '2027-02-01T00:00:00.000Z'
  expect(textOf({ to: 'pro', effective_at: at })).toBe('will move to pro on 2027-02-01')
  expect(textOf({ to: 'pro', effective_at: null })).toBe(
    'will move to pro with the first period after the resume',
  )
  expect(textOf({ to: null, effective_at: null })).toBe('keeps its plan')
})

it('adds up what happened, with the amounts of each currency apart', () => {
  const event = (type: string, detail = {}) => ({
    type,
    subject: { kind: 'invoice', id: 'inv_1' },
    detail,
  })
  const paid = (amount: number, currency: string) =>
    event('payment.succeeded', { amount, currency })
  const renewed = event('subscription.renewed')
  const events = [renewed, paid(2000, 'USD'), paid(500, 'JPY'), renewed, paid(3000, 'USD')]
  expect(eventCounts([event('payment.failed'), event('invoice.paid'), ...events])).toEqual([
    '2 renewed',
    '50.00 USD paid',
    '500 JPY paid',
    '1 failed',
  ])
  expect(eventCounts([])).toEqual([])
})
