import { describe, expect, it } from 'vitest'
import type { Lane } from '../../src/dashboard/timeline/lane.ts'
import { marksOf } from '../../src/dashboard/timeline/marks.ts'
import { LANE_WIDTH } from '../../src/dashboard/timeline/room.ts'
import { at, due, type Event, event, lane, noInvoice, record } from '../support/lanes.ts'

function spansOf({ spans }: Lane): string[] {
  const day = (instant: string) => instant.slice(5, 10)
  return spans.map(
    ({ condition, from, until, isFuture }) =>
      `${condition} ${day(from)} ${day(until)}${isFuture ? '?' : ''}`,
  )
}

describe('the lane of a subscription', () => {
  it('goes from a trial to a failure, to recovery, to a pause and on', () => {
    const events = [
      event('2027-01-01', 'subscription.created', { status: 'trialing' }),
      event('2027-01-08', 'subscription.trial_ended'),
      event('2027-01-08', 'subscription.activated'),
      event('2027-01-08', 'subscription.past_due'),
      event('2027-01-11', 'subscription.recovered'),
      event('2027-01-20', 'subscription.paused'),
      event('2027-02-01', 'subscription.resumed'),
    ]
    expect(spansOf(lane({ events }))).toEqual([
      'trialing 01-01 01-08',
      'past_due 01-08 01-11',
      'active 01-11 01-20',
      'paused 01-20 02-01',
      'active 02-01 02-10',
      'active 02-10 05-01?',
    ])
  })

  it('has the plans that it had, and will have', () => {
    const created = { status: 'active', plan: 'basic' }
    const agenda = [{ ...due('2027-03-01', 'period_end', 'active'), plan: 'basic' }]
    const events = [
      event('2027-01-01', 'subscription.created', created),
      event('2027-01-20', 'subscription.plan_changed', { from: 'basic', to: 'pro' }),
    ]
    const { spans } = lane({ subscription: { ...record, plan: 'pro' }, events, agenda })
    expect(spans.map(({ plan, from }) => `${plan} ${from.slice(5, 10)}`)).toEqual([
      ...['basic 01-01', 'pro 01-20', 'pro 02-10', 'basic 03-01'],
    ])
  })

  it('has the discounts that it has, and those that ended or were replaced', () => {
    const [starts_at, ends_at] = [at('2027-01-01'), null]
    const old = { coupon_id: 'OLD', starts_at: at('2027-01-05'), ends_at: at('2027-01-20') }
    const events = [
      event('2027-01-01', 'discount.applied', { coupon_id: 'FIRST', starts_at, ends_at }),
      event('2027-01-05', 'discount.replaced', { coupon_id: 'FIRST', by: 'OLD' }),
      event('2027-01-05', 'discount.applied', old),
      event('2027-02-01', 'discount.ended', { coupon_id: 'OLD' }),
      event('2027-02-02', 'discount.ended', { coupon_id: 'UNKNOWN' }),
    ]
    const terms = { coupon_id: 'NOW', type: 'percentage', value: 20 } as const
    const discount = { ...terms, duration: 'forever', duration_in_months: null } as const
    const subscription = { ...record, discounts: [{ ...discount, starts_at, ends_at }] }
    expect(lane({ subscription, events }).ribbons).toEqual([
      { coupon: 'FIRST', from: starts_at, until: at('2027-01-05'), words: 'ended 2027-01-05' },
      { coupon: 'OLD', from: at('2027-01-05'), until: at('2027-01-20'), words: 'ended 2027-01-20' },
      { coupon: 'NOW', from: starts_at, until: null, words: '-20 %' },
    ])
    // None outlasts its subscription, which has ended or will.
    const over = { ...subscription, status: 'canceled', ended_at: at('2027-02-05') }
    const untilOf = ({ ribbons }: Lane) => ribbons.at(-1)?.until
    expect(untilOf(lane({ subscription: over }))).toBe(at('2027-02-05'))
    const agenda = [due('2027-03-01', 'period_end', 'canceled')]
    expect(untilOf(lane({ subscription, agenda }))).toBe(at('2027-03-01'))
  })

  it('ends where it was canceled', () => {
    const events = [
      event('2027-01-01', 'subscription.created', { status: 'active' }),
      event('2027-02-05', 'subscription.canceled'),
    ]
    const ended = at('2027-02-05')
    const subscription = { ...record, status: 'canceled', ended_at: ended, canceled_at: ended }
    const found = lane({ subscription, events })
    expect(spansOf(found)).toEqual(['active 01-01 02-05'])
    expect(found.words).toBe('canceled 2027-02-05')
  })

  it('says when it ended and why, also where the event that says so is no longer kept', () => {
    const subscription = { ...record, status: 'canceled', ended_at: at('2027-01-20') } as const
    const events = [event('2027-01-20', 'subscription.canceled', { reason: 'requested' })]
    const words = 'canceled 2027-01-20, by a request'
    expect(lane({ subscription, events }).ended).toEqual({ at: at('2027-01-20'), words })
    expect(lane({ subscription }).ended?.words).toBe('canceled 2027-01-20')
    expect(lane({}).ended).toBeNull()
  })

  it('will end with its period where it is to be canceled then', () => {
    const found = lane({
      subscription: { ...record, cancel_at_period_end: true },
      agenda: [{ ...due('2027-03-01', 'period_end', 'canceled'), ...noInvoice }],
    })
    expect(spansOf(found)).toEqual(['active 01-01 02-10', 'active 02-10 03-01?'])
    expect(found.words).toBe('active since 2027-01-01, ends 2027-03-01')
    expect(found.moments.at(-1)).toMatchObject({
      kind: 'ended',
      text: 'ends with its period (canceled)',
    })
  })

  it('will fail, be tried again, and be paid at last', () => {
    const agenda = [
      due('2027-03-01', 'period_end', 'past_due'),
      due('2027-03-02', 'payment_retry', 'past_due'),
      due('2027-03-04', 'payment_retry', 'active'),
      due('2027-04-01', 'period_end', 'active'),
    ]
    const found = lane({ agenda })
    expect(spansOf(found).slice(1)).toEqual([
      'active 02-10 03-01?',
      'past_due 03-01 03-04?',
      'active 03-04 05-01?',
    ])
    expect(found.moments.map(({ kind }) => kind)).toEqual([
      'failed',
      'failed',
      'recovered',
      'period',
    ])
    expect(found.words).toBe('active since 2027-01-01, renews 2027-03-01')
  })

  it('says since when it is paused, also where it was paused just now and before', () => {
    const events = [
      event('2027-01-01', 'subscription.created', { status: 'active', plan: 'basic' }),
      event('2027-01-10', 'subscription.paused'),
      event('2027-01-20', 'subscription.resumed'),
      event('2027-02-10', 'subscription.paused'),
    ]
    const subscription = { ...record, status: 'paused' }
    expect(lane({ subscription, events }).words).toBe('paused since 2027-02-10')
  })

  it('says since when it is active, whatever plans it had meanwhile', () => {
    const events = [
      event('2027-01-01', 'subscription.created', { status: 'active', plan: 'pro' }),
      event('2027-01-20', 'subscription.plan_changed', { from: 'pro', to: 'basic' }),
    ]
    expect(lane({ events }).words).toBe('active since 2027-01-01')
  })

  it('is drawn from its record where its first events are no longer kept', () => {
    const trial = { ...record, trial_end: at('2027-01-15') }
    const renewed = [event('2027-02-01', 'subscription.renewed')]
    expect(spansOf(lane({ subscription: trial, events: renewed })).slice(0, 2)).toEqual([
      'trialing 01-01 01-15',
      'active 01-15 02-10',
    ])
    const paused = { ...record, status: 'on_hold' }
    expect(spansOf(lane({ subscription: paused }))).toEqual([
      'active 01-01 02-01',
      'paused 02-01 02-10',
      'paused 02-10 05-01?',
    ])
    expect(lane({ subscription: paused }).words).toBe('on hold')
    const ended = { ...record, status: 'expired', ended_at: at('2027-01-20') }
    expect(spansOf(lane({ subscription: ended }))).toEqual(['active 01-01 01-20'])
  })
})

describe('the marks of a lane', () => {
  const window = { from: at('2027-01-01'), until: at('2027-04-01') }

  it('stand far enough apart to be pressed one by one; what is closer is one mark that counts', () => {
    const events = Array.from({ length: 90 }, (_, day) =>
      event(
        new Date(Date.UTC(2027, 0, 1 + day)).toISOString().slice(0, 10),
        'subscription.renewed',
        { period_end: at('2027-05-01') },
      ),
    )
    const marks = marksOf(lane({ events }), window)
    const places = marks.map(({ x }) => (x / 100) * LANE_WIDTH)
    const gaps = places.slice(1).map((place, index) => place - (places[index] ?? 0))
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(24)
    expect(marks.reduce((sum, { count }) => sum + count, 0)).toBe(90)
  })

  it('say the worst of what they stand for, and how much more there is', () => {
    const events = [
      event('2027-02-01', 'subscription.renewed', { period_end: at('2027-03-01') }),
      event('2027-02-01', 'subscription.past_due'),
    ]
    const [mark] = marksOf(lane({ events }), window)
    expect(mark).toMatchObject({ kind: 'failed', count: 1, isFuture: false })
    expect(mark?.label).toBe('2027-02-01: past due and 1 more')
  })

  it('say that what is to come is only expected', () => {
    const [mark] = marksOf(lane({ agenda: [due('2027-03-01', 'period_end', 'active')] }), window)
    expect(mark).toMatchObject({
      ...{ isFuture: true, note: '10.00' },
      label: '2027-03-01: expected: renews: 10.00 USD',
    })
  })

  it('have an end that is none of several, however near others are', () => {
    const agenda = ['past_due', 'past_due', 'canceled'].map((status, nth) =>
      due(`2027-03-0${nth + 1}`, 'payment_retry', status),
    )
    const marks = marksOf(lane({ agenda }), window)
    expect(marks.map(({ kind, count, note }) => [kind, count, note])).toEqual([
      ['failed', 2, null],
      ['ended', 1, 'will be canceled 2027-03-03, after the last attempt'],
    ])
  })

  it('have the amounts of all their invoices, with the thousands apart, and each as near to its mark as there is room', () => {
    const made = (day: string, amount_due: number) =>
      event(day, 'invoice.created', { amount_due, currency: 'USD' })
    const notes = (shown: typeof window, events: Event[], isCompact = false) =>
      marksOf(lane({ events }), shown, isCompact).map(({ note }) => note)
    const near = [made('2027-02-01', 125_000), made('2027-02-02', 800)]
    expect(notes(window, near)).toEqual(['1,250.00 + 8.00'])
    const [mark] = marksOf(lane({ events: near }), window)
    expect(mark?.label).toContain(', of these 2: 1,250.00 + 8.00')
    // 14 days of a year are 28 pixels: every second amount has room above, and none behind.
    const year = { from: at('2026-06-01'), until: at('2027-06-01') }
    const often = ['01-04', '01-18', '02-01', '02-15'].map((day) => made(`2027-${day}`, 1000))
    expect(notes(year, often)).toEqual(['10.00', null, '10.00', null])
    expect(notes(year, often, true)).toEqual([null, null, null, '10.00'])
    const monthly = ['01-01', '02-01', '03-01'].map((day) => made(`2027-${day}`, 1000))
    expect(notes(year, monthly, true)).toEqual(['10.00', '10.00', '10.00'])
  })

  it('are one for the attempts to pay an invoice, with each number, past and to come, and the result', () => {
    const invoice = (made: Event) =>
      ({ ...made, subject: { kind: 'invoice', id: 'inv_1' } }) as Event
    const events = [
      invoice(event('2027-02-08', 'invoice.created', { amount_due: 1000, currency: 'USD' })),
      event('2027-02-08', 'subscription.renewed', { period_end: at('2027-03-08') }),
      invoice(event('2027-02-08', 'payment.failed', { reason: 'card_declined' })),
      invoice(event('2027-02-09', 'payment.failed', { reason: 'card_declined' })),
    ]
    const subject = { kind: 'invoice', id: 'inv_1' } as const
    const retry = (status: string) => ({ ...due('2027-02-13', 'payment_retry', status), subject })
    const year = { from: at('2026-06-01'), until: at('2027-06-01') }
    const marks = (status: string, shown = window) =>
      marksOf(lane({ events, agenda: [retry(status)] }), shown)
    for (const shown of [window, year]) {
      const [run, ...others] = marks('active', shown)
      expect(others).toEqual([])
      expect(
        run?.attempts.map(({ number, isPaid, isFuture }) => [number, isPaid, isFuture]),
      ).toEqual([
        [1, false, false],
        [2, false, false],
        [3, true, true],
      ])
      const places = run?.attempts.map(({ x }) => (x / 100) * LANE_WIDTH) ?? []
      const gaps = places.slice(1).map((place, index) => place - (places[index] ?? 0))
      // No number is on another.
      expect(Math.min(...gaps)).toBeGreaterThanOrEqual(10)
      expect(run?.note).toBe('10.00, recovers on day 5')
    }
    const [failed, end] = marks('canceled', year)
    expect(failed?.attempts.map(({ number }) => number)).toEqual([1, 2, 3])
    expect(failed?.label).toContain('attempts 1 2 3: 10.00 failed')
    expect(end?.note).toBe('will be canceled 2027-02-13, after attempt 3')
    const [last] = failed?.attempts.slice(-1) ?? []
    expect((((end?.x ?? 0) - (last?.x ?? 0)) / 100) * LANE_WIDTH).toBeGreaterThan(23)
  })

  it('are one disc with the first and the last number where each number would be far from its instant', () => {
    const invoice = (made: Event) =>
      ({ ...made, subject: { kind: 'invoice', id: 'inv_1' } }) as Event
    const events = [
      invoice(event('2027-01-01', 'invoice.created', { amount_due: 1000, currency: 'USD' })),
      ...['01', '02', '04', '06', '08'].map((day) =>
        invoice(event(`2027-01-${day}`, 'payment.failed', { reason: 'card_declined' })),
      ),
      event('2027-01-08', 'subscription.canceled', { reason: 'retries_exhausted' }),
    ]
    const year = { from: at('2026-06-01'), until: at('2027-06-01') }
    const [run, end] = marksOf(lane({ events }), year)
    expect(run?.attempts).toMatchObject([{ first: 1, number: 5, isFuture: false }])
    expect(run?.label).toContain('attempts 1–5: 10.00 failed (1 failed 2027-01-01, 2 failed')
    // No more than three weeks after its instant.
    const dayOf = ({ x = 0 } = {}) => (x / 100) * 365 - 214
    expect(dayOf(run?.attempts[0])).toBeCloseTo(3.5, 0)
    expect(dayOf(end)).toBeLessThan(7 + 21)
    expect(marksOf(lane({ events }), window)[0]?.attempts).toHaveLength(5)
  })

  it('are only those of the window', () => {
    const events = [
      event('2026-12-31', 'subscription.paused'),
      event('2027-04-01', 'subscription.paused'),
    ]
    expect(marksOf(lane({ events }), window)).toEqual([])
  })
})
