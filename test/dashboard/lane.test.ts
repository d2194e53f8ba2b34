import { describe, expect, it } from 'vitest'
import { type Lane, laneOf } from '../../src/dashboard/timeline/lane.ts'
import { LANE_WIDTH, marksOf } from '../../src/dashboard/timeline/marks.ts'
import { monthsOf } from '../../src/dashboard/timeline/money.ts'
import type { LaneSources } from '../../src/dashboard/timeline/spans.ts'
import {
  lookOf,
  lookQuery,
  monthsAround,
  moved,
  ticksOf,
  timeShown,
  zoomed,
  zooms,
} from '../../src/dashboard/timeline/window.ts'
import type { Schemas } from '../../src/index.ts'

type Event = Schemas['Event']

const at = (day: string) => `${day}T00:00:00.000Z`

const record: Schemas['SubscriptionRecord'] = {
  subscription_id: 'sub_1',
  customer_id: 'cus_ada',
  plan: 'basic',
  trial_period_days: null,
  status: 'active',
  trial_end: null,
  current_period_start: at('2027-02-01'),
  current_period_end: at('2027-03-01'),
  cancel_at_period_end: false,
  canceled_at: null,
  ended_at: null,
  pending_plan: null,
  discounts: [],
  created_at: at('2027-01-01'),
  access_until: null,
}

let seq = 0
function event(day: string, type: string, detail: object = {}): Event {
  seq += 1
  const subject = { kind: 'subscription', id: 'sub_1' } as const
  const cause = { kind: 'clock', request_id: null } as const
  return { seq, type, at: at(day), subject, cause, detail } as Event
}

function due(day: string, kind: Schemas['AgendaItem']['kind'], status: string) {
  const subject = { kind: 'subscription', id: 'sub_1' } as const
  const amounts = { amount_due: 1000, discount_total: 0, currency: 'USD' }
  const invoice = { plan: 'basic', ...amounts, invoice_status: invoiceStatuses[status] ?? null }
  return { at: at(day), kind, subject, subscription_id: 'sub_1', status, ...invoice }
}

const invoiceStatuses: Readonly<Record<string, Schemas['Invoice']['status']>> = {
  active: 'paid',
  past_due: 'open',
  canceled: 'uncollectible',
}

function lane(given: Partial<LaneSources>): Lane {
  const now = at('2027-02-10')
  const horizon = at('2027-05-01')
  return laneOf({ subscription: record, events: [], agenda: [], now, horizon, ...given })
}

/** Spans as one reads them: `trialing 01-01 01-15`, with a `?` behind those to come. */
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
    const applied = (coupon_id: string) => ({ coupon_id, starts_at, ends_at })
    const events = [
      event('2027-01-01', 'discount.applied', applied('FIRST')),
      event('2027-01-05', 'discount.replaced', { coupon_id: 'FIRST', by: 'OLD' }),
      event('2027-01-05', 'discount.applied', { ...applied('OLD'), starts_at: at('2027-01-05') }),
      event('2027-02-01', 'discount.ended', { coupon_id: 'OLD' }),
      event('2027-02-03', 'discount.applied', applied('NOW')),
    ]
    const terms = { coupon_id: 'NOW', type: 'percentage', value: 20 } as const
    const discount = { ...terms, duration: 'forever', duration_in_months: null } as const
    const subscription = { ...record, discounts: [{ ...discount, starts_at, ends_at }] }
    expect(lane({ subscription, events }).ribbons).toEqual([
      { coupon: 'FIRST', from: starts_at, until: at('2027-01-05'), words: 'ended 2027-01-05' },
      { coupon: 'OLD', from: at('2027-01-05'), until: at('2027-02-01'), words: 'ended 2027-02-01' },
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

  it('will end with its period where it is to be canceled then', () => {
    const found = lane({
      subscription: { ...record, cancel_at_period_end: true },
      agenda: [due('2027-03-01', 'period_end', 'canceled')],
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
      ['ended', 1, 'canceled 2027-03-03, after the last attempt'],
    ])
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
    expect(end).toMatchObject({ kind: 'ended', note: 'canceled 2027-02-13, after the 3rd attempt' })
    const [last] = failed?.attempts.slice(-1) ?? []
    expect((((end?.x ?? 0) - (last?.x ?? 0)) / 100) * LANE_WIDTH).toBeGreaterThan(23)
  })

  it('are only those of the window', () => {
    const events = [
      event('2026-12-31', 'subscription.paused'),
      event('2027-04-01', 'subscription.paused'),
    ]
    expect(marksOf(lane({ events }), window)).toEqual([])
  })
})

describe('the money of the months', () => {
  const window = { from: at('2027-01-01'), until: at('2027-03-01') }
  const on = (event: Event, id: string) => ({ ...event, subject: { kind: 'invoice', id } }) as Event
  const usd = { currency: 'USD' }
  const agendaOf = (...items: object[]) =>
    items.map((item) => ({ ...due('2027-02-20', 'period_end', 'active'), ...item }))
  const sumsOf = (given: Partial<Parameters<typeof monthsOf>[1]>) => {
    const months = monthsOf(window, { events: [], agenda: [], isRead: () => true, ...given })
    return Object.fromEntries(
      months
        .filter(({ sums }) => sums?.length !== 0)
        .map(({ from, sums }) => [
          from.slice(0, 7),
          sums?.map(({ kind, past, expected, currency }) => [kind, past, expected, currency]),
        ]),
    )
  }

  it('has what was paid and taken off, and an invoice that failed once, however often', () => {
    const created = { amount_due: 1000, discount_total: 250, ...usd }
    const events = [
      on(event('2027-01-05', 'invoice.created', created), 'inv_1'),
      on(event('2027-01-05', 'payment.failed'), 'inv_1'),
      on(event('2027-01-06', 'payment.failed'), 'inv_1'),
      on(event('2027-02-02', 'payment.succeeded', { amount: 1000, ...usd }), 'inv_1'),
      on(event('2027-02-03', 'payment.succeeded', { amount: 500, currency: 'EUR' }), 'inv_2'),
    ]
    expect(sumsOf({ events })).toEqual({
      '2027-01': [
        ['discounted', 250, 0, 'USD'],
        ['failed', 1000, 0, 'USD'],
      ],
      '2027-02': [
        ['paid', 1000, 0, 'USD'],
        ['paid', 500, 0, 'EUR'],
      ],
    })
  })

  it('has what is expected: by the status of the invoice after each item', () => {
    const agenda = agendaOf(
      { invoice_status: 'paid', discount_total: 100 },
      { invoice_status: 'open', amount_due: 700 },
      { kind: 'payment_retry', invoice_status: 'open', amount_due: 700, discount_total: 50 },
      { kind: 'payment_retry', at: at('2027-03-01'), invoice_status: 'paid', amount_due: 700 },
      { amount_due: null, currency: null },
    )
    expect(sumsOf({ agenda })).toEqual({
      '2027-02': [
        ['paid', 0, 1000, 'USD'],
        ['discounted', 0, 100, 'USD'],
        ['failed', 0, 700, 'USD'],
      ],
      '2027-03': [['paid', 0, 700, 'USD']],
    })
  })

  it('has no sum of a month that was not read as a whole', () => {
    const events = [on(event('2027-01-05', 'payment.succeeded', { amount: 1, ...usd }), 'inv_1')]
    const isRead = ({ from }: { from: string }) => from !== at('2027-01-01')
    expect(sumsOf({ events, isRead })).toEqual({ '2027-01': undefined })
  })
})

describe('the window of a timeline', () => {
  const now = '2027-02-10T10:30:00.000Z'
  const look = (query: Record<string, string>) => lookOf((name) => query[name])

  it('goes along with the clock, and stays where it was moved to', () => {
    const following = look({ zoom: 'month' })
    expect(timeShown(following, now).from < now).toBe(true)
    const later = moved(following, now, 1)
    expect(timeShown(later, now)).toEqual(timeShown(later, '2028-01-01T00:00:00.000Z'))
    expect(moved(later, now, -1).from).toBe(timeShown(following, now).from.slice(0, 10))
  })

  it('keeps its middle where it is made wider', () => {
    const wide = timeShown(zoomed({ days: zooms.week, from: '2027-02-10' }, zooms.year), now)
    const middle = (Date.parse(wide.from) + Date.parse(wide.until)) / 2
    expect(Math.abs(middle - Date.parse(at('2027-02-13')))).toBeLessThan(86_400_000 * 1.5)
  })

  it('passes over what is no window, and leaves no time in which a clock can stand', () => {
    expect(look({ zoom: 'toString', from: '2027-13-45' })).toEqual({ days: 92, from: null })
    expect(timeShown(look({ from: '9999-12-31' }), now).until < '9000').toBe(true)
    expect(timeShown(look({ from: '0001-01-01' }), now).from).toBe(at('1970-01-01'))
  })

  it('is as wide as its days say, from one to a year', () => {
    const days = (from: string, until: string) => look({ from, until, zoom: 'week' }).days
    expect(days('2027-02-10', '2027-02-11')).toBe(1)
    expect(days('2027-02-10', '2027-04-01')).toBe(50)
    expect(days('2027-02-10', '2030-01-01')).toBe(366)
    expect([days('2027-02-10', '2027-02-10'), days('2027-02-10', 'soon')]).toEqual([7, 7])
    const free = { from: '2027-02-10', until: '2027-04-01' }
    expect(lookQuery(look(free))).toEqual({ ...free, zoom: null })
    expect(lookQuery(look({ from: '2027-02-10', until: '2027-02-17' })).zoom).toBe('week')
  })

  it('has its months and some around it above it', () => {
    const months = (from: string, until: string) => {
      const starts = monthsAround({ from: at(from), until: at(until) })
      return [starts[0]?.slice(0, 7), starts.at(-1)?.slice(0, 7), starts.length - 1]
    }
    expect(months('2027-02-10', '2027-04-01')).toEqual(['2026-11', '2027-07', 8])
    expect(months('2027-01-01', '2028-01-01')).toEqual(['2026-12', '2028-02', 14])
  })

  it('has no more dates on its axis than there is room for', () => {
    for (const zoom of Object.keys(zooms)) {
      const ticks = ticksOf(timeShown(look({ zoom, from: '2027-01-01' }), now))
      expect(ticks.length).toBeGreaterThanOrEqual(4)
      expect(ticks.length).toBeLessThanOrEqual(14)
    }
    const [first] = ticksOf(timeShown(look({ zoom: 'year', from: '2027-01-15' }), now))
    expect(first).toEqual({ at: at('2027-02-01'), label: 'Feb 2027' })
  })
})
