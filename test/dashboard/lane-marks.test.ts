/** What the marks of a lane say of money, and of what is to come. */
import { describe, expect, it } from 'vitest'
import { marksOf } from '../../src/dashboard/timeline/marks.ts'
import { at, due, type Event, event, lane } from '../support/lanes.ts'

const window = { from: at('2027-01-01'), until: at('2027-04-01') }

const invoice = (made: Event) => ({ ...made, subject: { kind: 'invoice', id: 'inv_1' } }) as Event

const made = (day: string, amount_due: number) =>
  event(day, 'invoice.created', { amount_due, currency: 'USD' })

describe('the marks of a lane', () => {
  it('are not one for what happened and what is to come, however near both are', () => {
    const year = { from: at('2026-10-01'), until: at('2027-10-01') }
    const past = [event('2027-02-08', 'discount.applied', { coupon_id: 'SAVE20', ends_at: null })]
    const agenda = [
      due('2027-02-12', 'period_end', 'active'),
      due('2027-02-14', 'period_end', 'active'),
    ]
    const marks = marksOf(lane({ events: past, agenda }), year)
    expect(marks.map(({ count, isFuture, note }) => [count, isFuture, note])).toEqual([
      [1, false, null],
      [2, true, '10.00 + 10.00'],
    ])
    expect(marks[1]?.label).toContain('expected: renews: 10.00 USD')
    // Beside attempts neither, of which the next one is to come.
    const events = [
      invoice(made('2027-02-08', 700)),
      invoice(event('2027-02-08', 'payment.failed', { reason: 'card_declined' })),
    ]
    const subject = { kind: 'invoice', id: 'inv_1' } as const
    const retry = { ...due('2027-02-11', 'payment_retry', 'active'), subject }
    const [run, renewal] = marksOf(lane({ events, agenda: [retry, ...agenda] }), year)
    expect(run?.label).toContain('attempts 1 2: 7.00, recovers on day 3 (')
    expect(renewal).toMatchObject({ count: 2, isFuture: true })
  })

  it('have their amounts in their names, also where these have no room', () => {
    const events = [
      made('2027-01-15', 800),
      event('2027-01-30', 'subscription.plan_changed', { from: 'basic', to: 'pro' }),
      made('2027-01-30', 600),
    ]
    const year = { from: at('2026-06-01'), until: at('2027-06-01') }
    const [, moved] = marksOf(lane({ events }), year)
    expect(moved?.note).toBeNull()
    expect(moved?.label).toBe('2027-01-30: moved from basic to pro and 1 more, 6.00')
  })

  it('say where a credit has paid what could not be collected', () => {
    const failed = [
      invoice(made('2027-02-08', 1000)),
      invoice(event('2027-02-08', 'payment.failed', { reason: 'card_declined' })),
    ]
    const credited = [
      invoice(event('2027-02-09', 'invoice.credited', { amount: 1000, currency: 'USD' })),
      invoice(event('2027-02-09', 'invoice.paid', { amount_paid: 0, currency: 'USD' })),
    ]
    const noteOf = (events: Event[]) => marksOf(lane({ events }), window)[0]?.note
    expect(noteOf(failed)).toBe('10.00 failed')
    expect(noteOf([...failed, ...credited])).toBe('10.00 failed, then credited')
  })
})
