import { describe, expect, it } from 'vitest'
import type { WireAdvance } from '../../../src/wire/billing/advance.ts'
import type { WireAgenda } from '../../../src/wire/billing/clock.ts'
import { openShop, type Shop } from '../../support/control.ts'

const path = '/sandbox/clock/advance'

/** Ada in a trial of 14 days from 1 January, which her payments will not survive when `fails`. */
async function trialing(): Promise<Shop> {
  const shop = await openShop()
  const order = { customer_id: 'cus_ada', plan: 'basic', trial_period_days: 14 }
  await shop.post('/sandbox/subscriptions', order)
  return shop
}

describe('the clock', () => {
  it('is frozen, and shows what falls due next', async () => {
    const shop = await openShop()
    const still = { now: '2027-01-01T00:00:00.000Z', mode: 'frozen', next_due: null }
    expect(await shop.get('/sandbox/clock')).toMatchObject({ status: 200, body: still })
    await shop.post('/sandbox/subscriptions', { customer_id: 'cus_ada', plan: 'basic' })
    expect((await shop.get('/sandbox/clock')).body).toMatchObject({
      next_due: {
        at: '2027-02-01T00:00:00.000Z',
        kind: 'period_end',
        subject: { kind: 'subscription', id: 'sub_000001' },
      },
    })
  })
})

describe('an advance', () => {
  it.each([
    [{ by: 'P14D' }, '2027-01-15T00:00:00.000Z', 'reached', 'subscription.trial_ended'],
    [{ by: 'P13DT23H' }, '2027-01-14T23:00:00.000Z', 'reached', undefined],
    [
      { to: '2027-01-15T01:00:00+01:00' },
      '2027-01-15T00:00:00.000Z',
      'reached',
      'subscription.trial_ended',
    ],
    [{ to_next: 1 }, '2027-01-15T00:00:00.000Z', 'reached', 'subscription.trial_ended'],
    [{ to_next: 3 }, '2027-03-15T00:00:00.000Z', 'reached', 'subscription.trial_ended'],
  ])('%o goes to %s', async (...row) => {
    const [order, to, reason, firstEvent] = row
    const shop = await trialing()
    const { status, body, headers } = await shop.post<WireAdvance>(path, order)
    expect(status).toBe(200)
    expect(body).toMatchObject({ from: '2027-01-01T00:00:00.000Z', to, stopped_because: reason })
    expect(body.events[0]?.type).toBe(firstEvent)
    expect(body.events.length).toBe(body.events_total)
    expect(headers.get('Sandbox-Time')).toBe(to)
  })

  it('waits for a status, and says so', async () => {
    const shop = await trialing()
    const until = { subscription_id: 'sub_000001', status: 'active' }
    const reached = { to: '2027-01-15T00:00:00.000Z', stopped_because: 'condition_met' }
    expect((await shop.post(path, { until })).body).toMatchObject(reached)
    const met = await shop.post(path, { until, within: 'P1Y' })
    expect(met.body).toMatchObject({ ...reached, from: reached.to, events_total: 0 })
  })

  it('knows the paused status by its name, and no other', async () => {
    const shop = await trialing()
    await shop.call('PATCH', '/sandbox/settings', { json: { paused_status_name: 'on_hold' } })
    const ask = (status: string) =>
      shop.post(path, { until: { subscription_id: 'sub_000001', status }, within: 'P1D' })
    expect((await ask('on_hold')).body).toMatchObject({ stopped_because: 'condition_not_met' })
    expect(await ask('paused')).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'until.status' }] },
    })
  })

  it('changes nothing in a dry run, and answers what the advance then does', async () => {
    const shop = await trialing()
    const before = await shop.state()
    const dry = await shop.post<WireAdvance>(path, { by: 'P90D', dry_run: true })
    expect(await shop.state()).toBe(before)
    const real = await shop.post<WireAdvance>(path, { by: 'P90D' })
    const withoutCause = ({ events, ...rest }: WireAdvance) => ({
      ...rest,
      events: events.map(({ cause: _, ...event }) => event),
    })
    expect(withoutCause(dry.body)).toEqual(withoutCause(real.body))
  })

  it('does not go back, nor past the end of the clock', async () => {
    const shop = await trialing()
    const before = await shop.state()
    const back = await shop.post(path, { to: '2026-12-31T23:59:59.999Z' })
    expect(back).toMatchObject({ status: 409, body: { code: 'clock_backwards' } })
    for (const [order, got] of [
      [{ to: '9999-01-01T00:00:00Z' }, '9999-01-01T00:00:00.000Z'],
      [{ by: 'P6973Y1D' }, '9000-01-02T00:00:00.000Z'],
      [{ by: 'P99999Y' }, 'an instant after the year 9000'],
      [{ by: 'PT999999999999S' }, 'an instant after the year 9000'],
    ] as const) {
      const [field] = Object.keys(order)
      const detail = `${field} must not go past 9000-01-01T00:00:00.000Z, the end of the clock; got ${got}.`
      const body = { code: 'clock_limit', detail }
      expect(await shop.post(path, order)).toMatchObject({ status: 409, body })
    }
    const until = { subscription_id: 'nobody', status: 'active' }
    const lost = await shop.post(path, { until, within: 'P1D' })
    expect(lost).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect(await shop.state()).toBe(before)
  })

  it('goes to the end of the clock where `until` has no `within` and that end is near', async () => {
    const shop = await openShop()
    await shop.post(path, { to: '8999-06-01' })
    await shop.post('/sandbox/subscriptions', { customer_id: 'cus_ada', plan: 'basic' })
    const until = { subscription_id: 'sub_000001', status: 'expired' }
    const { status, body } = await shop.post(path, { until })
    const to = '9000-01-01T00:00:00.000Z'
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { to, stopped_because: 'condition_not_met' },
    })
  })

  it.each([
    [{ by: 14 }, 'by'],
    [{ by: null }, 'by'],
    [{ to: '2027-02-30T00:00:00Z' }, 'to'],
    [{ to_next: 0 }, 'to_next'],
    [{ to_next: 10_001 }, 'to_next'],
    [{ to_next: 1.5 }, 'to_next'],
    [{ to_next: 2 ** 60 }, 'to_next'],
    [{ until: { subscription_id: 'sub_000001', status: 'ACTIVE' }, within: 'P1D' }, 'until.status'],
    [{ by: 'P1D', dry_run: 'yes' }, 'dry_run'],
    [{ by: 'P1D', speed: 2 }, 'speed'],
  ])('%j is refused for %s', async (order, field) => {
    const shop = await trialing()
    const before = await shop.state()
    const { status, body } = await shop.post(path, order)
    expect(status).toBe(400)
    expect(body).toMatchObject({ code: 'invalid_request', errors: [{ field }] })
    expect(await shop.state()).toBe(before)
  })
})

describe('the agenda', () => {
  it('lists what will fall due, in order, without moving', async () => {
    const shop = await trialing()
    const before = await shop.state()
    const { body } = await shop.get<WireAgenda>('/sandbox/agenda?before=2027-03-15T00:00:00Z')
    expect(body.data.map(({ at, kind }) => [at, kind])).toEqual([
      ['2027-01-15T00:00:00.000Z', 'trial_end'],
      ['2027-02-15T00:00:00.000Z', 'period_end'],
    ])
    expect(await shop.state()).toBe(before)
  })

  it('says the plan after each item, and the amount of the invoice that it makes or tries', async () => {
    const shop = await trialing()
    const create = { customer_id: 'cus_ada', plan: 'pro', coupon_id: 'SAVE20' }
    const id = 'sub_000002'
    await shop.post('/sandbox/subscriptions', create)
    const headers = { Authorization: 'Bearer sk_sandbox_default' }
    const call = (path: string, json: object) =>
      shop.call('POST', `/v1/subscriptions/${path}`, { json, headers })
    await call(`${id}/update`, { plan: 'basic' })
    await shop.post('/sandbox/payment-outcomes', {
      subscription_id: id,
      outcomes: ['card_declined'],
    })
    await call('sub_000001/cancel', { at_period_end: true })
    const { body } = await shop.get<WireAgenda>('/sandbox/agenda?before=2027-02-20')
    const said = body.data.map(({ kind, subject, plan, amount_due, ...item }) => [
      ...[kind, subject.id, plan, amount_due, item.currency],
      ...[item.discount_total, item.invoice_status],
    ])
    expect(said).toEqual([
      ['trial_end', 'sub_000001', 'basic', null, null, null, null],
      ['period_end', id, 'basic', 800, 'USD', 200, 'open'],
      ['payment_retry', 'inv_000002', 'basic', 800, 'USD', 200, 'paid'],
    ])
  })

  it('looks a year ahead by default, in pages', async () => {
    const shop = await trialing()
    const whole = await shop.get<WireAgenda>('/sandbox/agenda')
    expect(whole.body.data.length).toBe(12)
    const first = await shop.get<WireAgenda>('/sandbox/agenda?limit=5')
    expect(first.body).toMatchObject({ has_more: true, next_after: 5 })
    const second = await shop.get<WireAgenda>('/sandbox/agenda?limit=10&after=5')
    expect(second.body).toMatchObject({ has_more: false, next_after: null })
    expect([...first.body.data, ...second.body.data]).toEqual(whole.body.data)
  })

  it('ends where the clock ends', async () => {
    const shop = await trialing()
    const far = await shop.get('/sandbox/agenda?before=9999-01-01T00:00:00Z')
    expect(far).toMatchObject({ status: 409, body: { code: 'clock_limit' } })
    const last = await shop.get('/sandbox/agenda?before=9000-01-01T00:00:00Z&limit=1')
    expect(last).toMatchObject({ status: 200, body: { has_more: true } })
  })
})
