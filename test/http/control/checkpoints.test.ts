import { describe, expect, it } from 'vitest'
import type { WireIssuedTokens } from '../../../src/wire/sandbox/token.ts'
import { inSandbox, openShop, type Shop } from '../../support/control.ts'

const path = '/sandbox/checkpoints'

/** The first of a month in which a little of everything has happened. */
async function lived(): Promise<Shop> {
  const shop = await openShop()
  await shop.call('PATCH', '/sandbox/settings', { json: { paused_status_name: 'on_hold' } })
  await shop.post('/sandbox/tokens', { subject: 'ada' })
  const order = { customer_id: 'cus_ada', plan: 'basic', coupon_id: 'TAKE5' }
  await shop.post('/sandbox/subscriptions', { ...order, trial_period_days: 3 })
  await shop.post('/sandbox/payment-outcomes', { outcomes: ['card_declined', 'expired_card'] })
  await shop.post('/sandbox/clock/advance', { by: 'P3D' })
  return shop
}

/** What comes after it: on every kind of record, and on the clock. */
async function goOn(shop: Shop): Promise<void> {
  await shop.call('PATCH', '/sandbox/settings', { json: { paused_status_name: 'paused' } })
  await shop.post('/sandbox/payment-outcomes', { always: 'card_declined' })
  await shop.post('/sandbox/subscriptions', { customer_id: 'cus_linus', plan: 'pro' })
  await shop.post('/sandbox/charges', { customer_id: 'cus_ada', amount: 5, currency: 'USD' })
  await shop.post('/sandbox/products', { product_id: 'extra', name: 'Extra' })
  await shop.call('DELETE', '/sandbox/products/extra')
  await shop.post('/sandbox/clock/advance', { by: 'P2M' })
}

/** The state as bytes, but for the ids of requests and the telling of restores. */
async function bytesOf(shop: Shop): Promise<string> {
  const { sequences, events, ...rest } = JSON.parse(await shop.state())
  const told = events.filter(({ type }: { type: string }) => type !== 'sandbox.restored')
  const unnumbered = told.map((each: object) => ({ ...each, seq: null }))
  const counted = { ...sequences, events: null }
  const text = JSON.stringify({ ...rest, sequences: counted, events: unnumbered })
  return text.replaceAll(/"req_\d+"/g, '"req"')
}

describe('a checkpoint', () => {
  it('answers its name, its now, the last event before it and what it holds', async () => {
    const shop = await lived()
    const made = await shop.post(path, { name: 'before-renewal' })
    expect(made).toMatchObject({ status: 201, body: { name: 'before-renewal' } })
    expect(made.headers.get('Location')).toBe('/sandbox/checkpoints/before-renewal')
    expect((await shop.get(`${path}/before-renewal`)).body).toEqual(made.body)
    expect((await shop.get(`${path}/never`)).status).toBe(404)
    const summary = await shop.get<{ counts: { events: number } }>('/sandbox')
    expect(made.body).toEqual({
      name: 'before-renewal',
      now: '2027-01-04T00:00:00.000Z',
      event_seq: summary.body.counts.events,
      counts: summary.body.counts,
    })
  })

  it('is listed with the others, oldest first, whatever their names', async () => {
    const shop = await openShop()
    for (const name of ['b', 'a', 'A', 'c.1_x-y']) await shop.post(path, { name })
    const { body } = await shop.get<{ data: { name: string }[] }>(path)
    expect(body.data.map(({ name }) => name)).toEqual(['b', 'a', 'A', 'c.1_x-y'])
  })

  it('changes nothing in the sandbox', async () => {
    const shop = await lived()
    const before = await shop.state()
    await shop.post(path, { name: 'x' })
    await shop.call('DELETE', `${path}/x`)
    expect(await shop.state()).toBe(before)
  })

  it.each(['', '-x', '.x', 'a/b', 'a b', 'ä', '..', 'x'.repeat(65), null, 7])(
    'cannot be called %j',
    async (name) => {
      const shop = await openShop()
      const refused = await shop.post(path, { name })
      expect(refused).toMatchObject({ status: 400, body: { errors: [{ field: 'name' }] } })
      expect(await shop.get(path)).toMatchObject({ body: { data: [] } })
    },
  )

  it('keeps its name until it is deleted', async () => {
    const shop = await openShop()
    await shop.post(path, { name: 'x' })
    const taken = await shop.post(path, { name: 'x' })
    expect(taken).toMatchObject({ status: 409, body: { code: 'exists' } })
    expect(await shop.call('DELETE', `${path}/x`)).toMatchObject({ status: 204 })
    const gone = await shop.call('DELETE', `${path}/x`)
    expect(gone).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect(await shop.post(`${path}/x/restore`)).toMatchObject({ status: 404 })
    expect(await shop.post(path, { name: 'x' })).toMatchObject({ status: 201 })
  })

  it('is refused once there are a hundred, until one is deleted', async () => {
    const shop = await openShop({ fixture: 'empty' })
    for (let each = 1; each <= 100; each += 1) await shop.post(path, { name: `c${each}` })
    const refused = await shop.post(path, { name: 'one-more' })
    expect(refused).toMatchObject({ status: 409, body: { code: 'checkpoint_limit' } })
    await shop.call('DELETE', `${path}/c50`)
    expect(await shop.post(path, { name: 'one-more' })).toMatchObject({ status: 201 })
  })
})

describe('a restore', () => {
  it('returns to every byte, the clock included, and reports it in one event', async () => {
    const shop = await lived()
    const before = await bytesOf(shop)
    const { body } = await shop.post<{ event_seq: number }>(path, { name: 'x' })
    await goOn(shop)
    expect(await bytesOf(shop)).not.toBe(before)
    const restored = await shop.post(`${path}/x/restore`)
    expect(restored).toMatchObject({ status: 200, body: { now: '2027-01-04T00:00:00.000Z' } })
    expect(await bytesOf(shop)).toBe(before)
    const events = await shop.get(`/sandbox/events?after=${body.event_seq}`)
    expect(events.body).toMatchObject({
      data: [
        {
          seq: body.event_seq + 1,
          type: 'sandbox.restored',
          subject: { kind: 'sandbox', id: 'default' },
          detail: { checkpoint: 'x', fixture: 'starter' },
        },
      ],
      has_more: false,
    })
  })

  it('can be done again and again, and what follows is the same each time', async () => {
    const shop = await lived()
    await shop.post(path, { name: 'x' })
    await goOn(shop)
    const after = await bytesOf(shop)
    for (let time = 0; time < 3; time += 1) {
      await shop.post(`${path}/x/restore`)
      await goOn(shop)
      expect(await bytesOf(shop)).toBe(after)
    }
  })

  it('leaves later checkpoints, which can still be returned to', async () => {
    const shop = await lived()
    await shop.post(path, { name: 'early' })
    await goOn(shop)
    await shop.post(path, { name: 'late' })
    const late = await bytesOf(shop)
    await shop.post(`${path}/early/restore`)
    expect(await shop.get(path)).toMatchObject({
      body: { data: [{ name: 'early' }, { name: 'late' }] },
    })
    await shop.post(`${path}/late/restore`)
    expect(await bytesOf(shop)).toBe(late)
  })

  it('brings back the power that tokens had, and takes that of later ones', async () => {
    const shop = await openShop()
    const early = (await shop.post<WireIssuedTokens>('/sandbox/tokens', {})).body
    await shop.post(path, { name: 'x' })
    await shop.post('/sandbox/tokens/revoke', { family_id: early.family_id })
    const late = (await shop.post<WireIssuedTokens>('/sandbox/tokens', {})).body
    await shop.post(`${path}/x/restore`)
    const statusWith = async (token: string) => {
      const headers = { Authorization: `Bearer ${token}` }
      const json = { customer_id: 'cus_ada', plan: 'basic' }
      return (await shop.call('POST', '/v1/subscriptions', { headers, json })).status
    }
    expect(await statusWith(early.access_token)).toBe(200)
    expect(await statusWith(late.access_token)).toBe(401)
  })

  it('is where a clock that should run backwards is pointed to', async () => {
    const shop = await lived()
    const refused = await shop.post('/sandbox/clock/advance', { to: '2027-01-01T00:00:00Z' })
    expect(refused).toMatchObject({
      status: 409,
      body: { code: 'clock_backwards', detail: expect.stringMatching(/restore a checkpoint/) },
    })
  })
})

describe('checkpoints', () => {
  it('belong to one sandbox', async () => {
    const shop = await openShop()
    await shop.call('PUT', '/sandboxes/other')
    await shop.post(path, { name: 'x' })
    const other = inSandbox(shop, 'other')
    expect(await other.get(path)).toMatchObject({ body: { data: [] } })
    expect(await other.post(`${path}/x/restore`)).toMatchObject({ status: 404 })
  })

  it('are gone after a reset, so that the same script gives the same again', async () => {
    const shop = await openShop()
    const script = async () => {
      await shop.post('/sandbox/reset')
      const made = await shop.post(path, { name: 'x' })
      expect(made.status).toBe(201)
      await goOn(shop)
      await shop.post(`${path}/x/restore`)
      return (await shop.get(path)).text + (await shop.state())
    }
    expect(await script()).toBe(await script())
  })

  it('stay through an imported state', async () => {
    const shop = await lived()
    const before = await bytesOf(shop)
    await shop.post(path, { name: 'x' })
    const json = JSON.parse(await (await openShop()).state())
    await shop.call('PUT', '/sandbox/state', { json })
    await shop.post(`${path}/x/restore`)
    expect(await bytesOf(shop)).toBe(before)
  })

  it('are gone with their sandbox', async () => {
    const shop = await openShop()
    await shop.call('PUT', '/sandboxes/other')
    await inSandbox(shop, 'other').post(path, { name: 'x' })
    await shop.call('DELETE', '/sandboxes/other')
    await shop.call('PUT', '/sandboxes/other')
    expect(await inSandbox(shop, 'other').get(path)).toMatchObject({ body: { data: [] } })
  })
})

describe('a fork from a checkpoint', () => {
  it('begins there, and goes on as the sandbox itself did', async () => {
    const shop = await lived()
    await shop.post(path, { name: 'x' })
    await goOn(shop)
    const json = { from: { sandbox: 'default', checkpoint: 'x' } }
    const made = await shop.call('PUT', '/sandboxes/fork', { json })
    expect(made).toMatchObject({ status: 201, body: { now: '2027-01-04T00:00:00.000Z' } })
    const fork = inSandbox(shop, 'fork')
    await goOn(fork)
    const own = (await bytesOf(shop)).replaceAll('"sandbox_id":"default"', '"sandbox_id":"fork"')
    expect(await bytesOf(fork)).toBe(own)
    expect(await fork.get(path)).toMatchObject({ body: { data: [] } })
  })

  it('leaves the checkpoint and its sandbox alone, and takes settings of its own', async () => {
    const shop = await lived()
    await shop.post(path, { name: 'x' })
    const before = await shop.state()
    const from = { sandbox: 'default', checkpoint: 'x' }
    const settings = { paused_status_name: 'asleep' }
    const made = await shop.post<{ sandbox_id: string }>('/sandboxes', { from, settings })
    const fork = inSandbox(shop, made.body.sandbox_id)
    expect(await fork.get('/sandbox/settings')).toMatchObject({ body: settings })
    await goOn(fork)
    expect(await shop.state()).toBe(before)
  })

  it('names the checkpoint that is not there', async () => {
    const shop = await openShop()
    const json = { from: { sandbox: 'default', checkpoint: 'x' } }
    const refused = await shop.call('PUT', '/sandboxes/fork', { json })
    expect(refused).toMatchObject({
      status: 404,
      body: { detail: expect.stringMatching(/^from.checkpoint "x"/) },
    })
  })
})
