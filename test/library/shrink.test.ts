import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Sandbox, type ShrinkTrial, shrink, startSandbox } from '../../src/index.ts'
import { chanceOf, upTo } from '../support/chance.ts'

let server: Sandbox
beforeAll(async () => {
  server = await startSandbox({ now: '2027-01-01T00:00:00Z' })
})
afterAll(() => server.close())

const order = { customer_id: 'cus_ada', plan: 'basic' }
const hasEvent =
  (type: 'payment.failed' | 'invoice.paid') =>
  async ({ sandbox }: ShrinkTrial) =>
    (await sandbox.events.list({ type })).length > 0

/** The recording of what is done in a sandbox of its own. */
async function recorded(work: (sandbox: Sandbox) => Promise<unknown>): Promise<string> {
  await using sandbox = await server.create()
  await work(sandbox)
  return await sandbox.recording('json')
}

/** Calls of a recording in words, after shrinking. */
async function left(sandbox: Sandbox): Promise<string[]> {
  const { calls } = JSON.parse(await sandbox.recording('json'))
  return calls.map(({ method, target, body = [] }: Record<string, string[]>) =>
    [method, target, body].flat().join(' '),
  )
}

/** A long history of many subscriptions, of which one matters. */
async function longHistory({ subscriptions, clock, coupons }: Sandbox): Promise<string[]> {
  const chance = chanceOf(20261124)
  const ids: string[] = []
  while (ids.length < 140) {
    const { subscription_id: id } = await subscriptions.create(order)
    ids.push(id)
    const at = ids[upTo(ids.length, chance)] ?? id
    await subscriptions.applyCoupon(at, { coupon_id: 'LOYAL10' })
    if (upTo(3, chance) === 0) await clock.advance('P2D')
    if (upTo(4, chance) === 0) await subscriptions.update(at, { plan: 'pro' })
    if (upTo(4, chance) === 0) {
      await coupons.create({ coupon_id: `C${ids.length}`, type: 'percentage', value: 5 })
    }
  }
  return ids
}

it('cuts a long recording to the calls that matter, under the numbers that they then have', async () => {
  const recording = await recorded(async (sandbox) => {
    const ids = await longHistory(sandbox)
    const id = ids[70] ?? ''
    await sandbox.payments.fail({ subscription_id: id })
    await sandbox.clock.advance('P1M')
    for (const each of ids) await sandbox.subscriptions.cancel(each, { at_period_end: true })
  })
  const { calls, sandbox, trials } = await shrink(server, recording, {
    holds: hasEvent('payment.failed'),
  })
  expect(calls.of).toBeGreaterThan(400)
  expect(trials).toBeLessThan(200)
  expect(await left(sandbox)).toEqual([
    `POST /sandbox/subscriptions ${JSON.stringify(order)}`,
    'POST /sandbox/payment-outcomes {"subscription_id":"sub_000001","outcomes":["card_declined"]}',
    'POST /sandbox/clock/advance {"by":"P1M"}',
  ])
  await sandbox.close()
})

it('keeps the last call, and what has it refused, where no condition is given', async () => {
  const recording = await recorded(async (sandbox) => {
    const ids = await longHistory(sandbox)
    await sandbox.subscriptions.cancel(ids[50] ?? '', {})
    await sandbox.subscriptions.pause(ids[50] ?? '').catch(() => undefined)
  })
  const { sandbox } = await shrink(server, recording)
  expect(await left(sandbox)).toEqual([
    expect.stringMatching(/^POST \/sandbox\/subscriptions \{/),
    'POST /v1/subscriptions/sub_000001/cancel',
    'POST /v1/subscriptions/sub_000001/pause',
  ])
  await sandbox.close()
})

it('follows subscriptions whose answers are in an envelope', async () => {
  const recording = await recorded(async (sandbox) => {
    await sandbox.settings.change({ subscription_fields: ['envelope=subscription'] })
    for (const customer_id of ['cus_linus', 'cus_grace', 'cus_ada']) {
      await sandbox.v1.POST('/v1/subscriptions', { body: { customer_id, plan: 'basic' } })
    }
    await sandbox.subscriptions.cancel('sub_000003', {})
  })
  const { sandbox } = await shrink(server, recording, {
    holds: async ({ sandbox }) =>
      (await sandbox.subscriptions.list()).some(
        ({ customer_id, status }) => customer_id === 'cus_ada' && status === 'canceled',
      ),
  })
  expect(await left(sandbox)).toHaveLength(2)
  await sandbox.close()
})

it('follows an invoice by its place among those of its subscription', async () => {
  const recording = await recorded(async (sandbox) => {
    const { subscriptions, invoices, payments, clock } = sandbox
    await subscriptions.create(order)
    await subscriptions.create({ ...order, customer_id: 'cus_linus' })
    await clock.advance('P1M')
    const own = await subscriptions.create(order)
    await payments.fail({ subscription_id: own.subscription_id })
    await clock.advance('P1M')
    const [, failed] = await invoices.list({ subscription_id: own.subscription_id })
    await invoices.pay(failed?.invoice_id ?? '')
  })
  const { calls, sandbox } = await shrink(server, recording, {
    holds: async ({ sandbox }) =>
      (await sandbox.invoices.list()).some(
        ({ status, attempts }) => status === 'paid' && attempts.length > 1,
      ),
  })
  expect(calls).toEqual({ left: 4, of: 7 })
  expect((await left(sandbox)).at(-1)).toBe('POST /sandbox/invoices/inv_000002/pay')
  await sandbox.close()
})

it('sends all calls again where tokens are used, which work in no fork', async () => {
  const recording = await recorded(async (sandbox) => {
    const grant = await sandbox.tokens.issue({})
    await sandbox.subscriptions.create(order)
    const refresh = async (refresh_token: string) => {
      const headers = { Authorization: `Bearer ${refresh_token}` }
      await sandbox.v1.POST('/v1/auth/refresh', { body: { refresh_token }, headers })
    }
    await refresh(grant.refresh_token)
    await sandbox.subscriptions.create(order)
    await refresh(grant.refresh_token)
  })
  const { calls, sandbox } = await shrink(server, recording)
  expect(calls).toEqual({ left: 3, of: 5 })
  expect(await left(sandbox)).toHaveLength(3)
  await sandbox.close()
})

it('leaves no call that could be left out, and no sandbox but the result', async () => {
  const before = (await server.siblings()).length
  const recording = await recorded(async (sandbox) => {
    await longHistory(sandbox)
    await sandbox.clock.advance('P1M')
  })
  const holds = async ({ sandbox }: ShrinkTrial) =>
    (await sandbox.invoices.list()).filter(({ discount_total }) => discount_total > 0).length > 2
  const { sandbox } = await shrink(server, recording, { holds })
  const shortest = JSON.parse(await sandbox.recording('json'))
  expect((await server.siblings()).length).toBe(before + 1)
  for (const [at] of shortest.calls.entries()) {
    const fewer = JSON.stringify({ ...shortest, calls: shortest.calls.toSpliced(at, 1) })
    const trying = shrink(server, fewer, { holds })
    await expect(trying).rejects.toThrow('must be true after all calls of the recording')
  }
  await sandbox.close()
})

it.each([
  ['{}', /^recording must be what recording\('json'\) returns; its format is missing or wrong\.$/],
  [
    'no JSON',
    /^recording must be what recording\('json'\) returns; its text is missing or wrong\.$/,
  ],
])('refuses %s', async (recording, message) => {
  await expect(shrink(server, recording)).rejects.toThrow(message)
})

it('refuses to guess what matters where the last call succeeded', async () => {
  const recording = await recorded(({ subscriptions }) => subscriptions.create(order))
  await expect(shrink(server, recording)).rejects.toMatchObject({
    message: 'holds must be given where the last call of the recording is not refused.',
    fields: [{ field: 'holds' }],
  })
})

it('leaves no sandbox behind where it cannot go on', async () => {
  const before = (await server.siblings()).length
  const recording = await recorded(async ({ subscriptions }) => {
    for (let made = 0; made < 4; made += 1) await subscriptions.create(order)
  })
  await expect(shrink(server, recording)).rejects.toThrow('holds must be given')
  let asked = 0
  const holds = () => {
    asked += 1
    if (asked === 3) throw new Error('the condition broke')
    return true
  }
  for (asked of [2, 0]) {
    await expect(shrink(server, recording, { holds })).rejects.toThrow('the condition broke')
  }
  expect((await server.siblings()).length).toBe(before)
})

it.each([
  [{ hold: () => true }, 'hold is not a known field; fields: holds, onProgress.'],
  [{ holds: true }, 'holds must be a function; got true.'],
  [null, 'options must be an object; got null.'],
])(
  'refuses the options %j, with which it would look for something else',
  async (options, message) => {
    await expect(shrink(server, '{}', options as object)).rejects.toThrow(message)
  },
)
