import { describe, expect, it } from 'vitest'
import { monthsOf } from '../../src/dashboard/timeline/money.ts'
import { mainCurrency } from '../../src/dashboard/timeline/strip.tsx'
import {
  lookOf,
  lookQuery,
  monthsAround,
  moveLook,
  ticksOf,
  timeShown,
  zoomLook,
  zooms,
} from '../../src/dashboard/timeline/window.ts'
import { at, due, type Event, event } from '../support/lanes.ts'

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

  it('is drawn in the currency of most amounts, however many kinds of them another one has', () => {
    const agenda = [1, 2, 3, 4].flatMap((day) =>
      agendaOf({ at: at(`2027-02-0${day}`), invoice_status: 'paid' }),
    )
    const yen = { currency: 'JPY', invoice_status: 'paid', discount_total: 100 }
    const sources = { events: [], agenda: [...agendaOf(yen), ...agenda], isRead: () => true }
    expect(mainCurrency(monthsOf(window, sources))).toBe('USD')
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
    const later = moveLook(following, now, 1)
    expect(timeShown(later, now)).toEqual(timeShown(later, '2028-01-01T00:00:00.000Z'))
    expect(moveLook(later, now, -1).from).toBe(timeShown(following, now).from.slice(0, 10))
  })

  it('keeps its middle where it is made wider', () => {
    const wide = timeShown(zoomLook({ days: zooms.week, from: '2027-02-10' }, zooms.year), now)
    const middle = (Date.parse(wide.from) + Date.parse(wide.until)) / 2
    expect(Math.abs(middle - Date.parse(at('2027-02-13')))).toBeLessThan(86_400_000 * 1.5)
  })

  it('passes over what is no window, and leaves no time in which a clock can stand', () => {
    expect(look({ zoom: 'toString', from: '2027-13-45' })).toEqual({ days: 92, from: null })
    const [lacking, next] = ['2027-02-30', '2027-03-01']
    expect(look({ from: lacking, until: next })).toEqual({ days: 92, from: null })
    expect(look({ from: '2027-01-01', until: lacking }).days).toBe(92)
    expect(timeShown(look({ from: '9999-12-31' }), now).from).toBe(at('9000-01-01'))
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
