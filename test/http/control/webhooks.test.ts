import { describe, expect, it } from 'vitest'
import { Receivers } from '../../../src/sandbox/receivers.ts'
import { openShop, type Shop } from '../../support/control.ts'
import { openReceiver, SECRET } from '../../support/receiver.ts'

const path = '/sandbox/webhooks'
const url = 'http://127.0.0.1:9/hooks'

interface Made {
  readonly webhook_id: string
  readonly secret?: string
}

function make(shop: Shop, body: object = {}) {
  return shop.post<Made>(path, { url, ...body })
}

describe('a webhook', () => {
  it('is made, listed and deleted; its secret is answered once', async () => {
    const shop = await openShop()
    const made = await make(shop, { event_types: ['payment.failed'] })
    expect(made.headers.get('Location')).toBe(`${path}/wh_000001`)
    const shown = {
      webhook_id: 'wh_000001',
      url,
      event_types: ['payment.failed'],
      done_seq: 0,
      skipped: 0,
    }
    expect(made.body).toEqual({ ...shown, secret: expect.stringMatching(/^whsec_.{44}$/) })
    const others = [`${path}/wh_000001`, path, `${path}/deliveries`, '/sandbox', '/sandbox/state']
    for (const each of others) {
      expect((await shop.get(each)).text, each).not.toContain(made.body.secret)
    }
    expect((await shop.get(`${path}/wh_000001`)).body).toEqual(shown)
    expect((await make(shop, { secret: SECRET })).body).toMatchObject({
      webhook_id: 'wh_000002',
      secret: SECRET,
    })
    expect((await shop.call('DELETE', `${path}/wh_000001`)).status).toBe(204)
    const { body } = await shop.get(path)
    expect(body).toMatchObject({ data: [{ webhook_id: 'wh_000002', event_types: null }] })
    expect((await make(shop)).body.webhook_id).toBe('wh_000003')
  })

  it('is one of a hundred at most', async () => {
    const shop = await openShop()
    for (let count = 0; count < 100; count += 1) expect((await make(shop)).status).toBe(201)
    expect(await make(shop)).toMatchObject({ status: 409, body: { code: 'webhook_limit' } })
  })

  it('of one sandbox has a secret of its own', async () => {
    const shop = await openShop()
    const secrets = new Set([(await make(shop)).body.secret, (await make(shop)).body.secret])
    expect(secrets.size).toBe(2)
  })

  it('is an assumption, and says so', async () => {
    const shop = await openShop()
    const { body } = await shop.get<{ data: object[] }>('/sandbox/assumptions?limit=1000')
    expect(body.data).toContainEqual(expect.objectContaining({ slug: 'webhooks' }))
  })

  it.each([
    ['http://localhost:3000/hooks'],
    ['https://127.8.9.10/'],
    ['http://[::1]:3000/?a=b'],
    ['http://2130706433/'],
  ])('may be at %s', async (at) => {
    expect((await make(await openShop(), { url: at })).status).toBe(201)
  })

  it.each([
    ['ftp://localhost/', /^url must be an http or https URL; got "ftp:/],
    ['no url', /^url must be an http or https URL; got "no url"[.]$/],
    ['http://example.com/hooks', /^url must have the host localhost.*; got "http:/],
    ['http://0.0.0.0/', /^url must have the host localhost/],
    ['http://10.0.0.1/', /^url must have the host localhost/],
    ['http://[fe80::1]/', /^url must have the host localhost/],
    ['http://127.0.0.1.example.com/', /^url must have the host localhost/],
    ['http://localhost.example.com/', /^url must have the host localhost/],
    ['http://ada:lovelace@localhost/', /^url must have no user name and no password[.]$/],
    ['', /^url must be an http or https URL of at most 2000 characters; got ""/],
  ])('is refused at %j, and changes nothing', async (at, message) => {
    const shop = await openShop()
    const before = await shop.state()
    const refused = await make(shop, { url: at })
    expect(refused).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'url', message: expect.stringMatching(message) }] },
    })
    expect(refused.text).not.toContain('lovelace')
    expect(await shop.state()).toBe(before)
    expect((await shop.get(path)).body).toMatchObject({ data: [] })
  })

  it.each([
    [{ event_types: [] }, 'event_types'],
    [{ event_types: ['payment.lost'] }, 'event_types[0]'],
    [{ secret: 'whsec_c2hvcnQ=' }, 'secret'],
    [{ secret: `whsec_${'A'.repeat(33)}` }, 'secret'],
    [{ secret: SECRET.slice('whsec_'.length) }, 'secret'],
    [{ lockstep: true }, 'lockstep'],
  ])('with %j is refused, and no secret is repeated', async (body, field) => {
    const refused = await make(await openShop(), body)
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ field }] } })
    if (field === 'secret') {
      const [secret = ''] = Object.values(body)
      expect(refused.text).not.toContain(secret)
    }
  })

  it('does not repeat a secret that was sent in the wrong place', async () => {
    const shop = await openShop()
    const answers = [make(shop, { url: SECRET }), make(shop, { [SECRET]: 1 })]
    for (const { text } of await Promise.all(answers)) {
      expect(text).not.toContain(SECRET.slice(0, 20))
      expect(text).toContain('whsec_...')
    }
  })

  it('may be elsewhere where the process was started for that', async () => {
    const allowed = [
      'Hooks.Example.com',
      '10.0.0.1',
      '2001:DB8:0:0:0:0:0:1',
      '[::2]',
      'fe80::1%eth0',
    ]
    const receivers = new Receivers(allowed)
    const shop = await openShop({}, 10, { webhooks: { receivers } })
    const addresses = ['http://10.0.0.1/', 'http://[2001:db8::0:1]/', 'http://[::2]/']
    for (const at of ['https://hooks.example.com/x', ...addresses]) {
      expect((await make(shop, { url: at })).status).toBe(201)
    }
    const refused = await make(shop, { url: 'http://example.com/' })
    expect(refused.text).toContain('[::1], or hooks.example.com, or 10.0.0.1')
  })
})

describe('deliveries', () => {
  it('are listed by page, oldest first', async () => {
    const shop = await openShop()
    const receiver = await openReceiver()
    await make(shop, { url: receiver.url, secret: SECRET })
    await shop.post('/sandbox/subscriptions', { customer_id: 'cus_ada', plan: 'basic' })
    await shop.post('/sandbox/clock/advance', { to: '2027-01-01', lockstep: true })
    type Page = { data: { event_seq: number }[]; next_after: string | null }
    const first = await shop.get<Page>(`${path}/deliveries?limit=2`)
    const after = first.body.next_after
    const rest = await shop.get<Page>(`${path}/deliveries?after=${after}&status=delivered`)
    const listed = [...first.body.data, ...rest.body.data].map(({ event_seq }) => event_seq)
    expect(listed).toEqual(receiver.seqs())
    expect(listed).toHaveLength(4)
  })

  it('of a webhook go with it', async () => {
    const shop = await openShop()
    const receiver = await openReceiver()
    await make(shop, { url: receiver.url, secret: SECRET })
    await make(shop, { url: receiver.url, secret: SECRET })
    await shop.post('/sandbox/subscriptions', { customer_id: 'cus_ada', plan: 'basic' })
    await shop.post('/sandbox/clock/advance', { to: '2027-01-01', lockstep: true })
    const whose = async () => {
      const { body } = await shop.get<{ data: { webhook_id: string }[] }>(`${path}/deliveries`)
      return [...new Set(body.data.map(({ webhook_id }) => webhook_id))]
    }
    expect(await whose()).toEqual(['wh_000001', 'wh_000002'])
    await shop.call('DELETE', `${path}/wh_000001`)
    expect(await whose()).toEqual(['wh_000002'])
  })
})
