/** What `learn` infers from a recording where no fixture is given, and what it leaves out of it. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { inferFixture, withoutOlder } from '../../src/learn/inferred-fixture.ts'
import { learn } from '../../src/learn/learn.ts'
import { readRecording } from '../../src/learn/recording.ts'
import { exchangesOf } from '../support/exchanges.ts'
import { temporaryFolder } from '../support/folders.ts'
import { historyFixture, ownRecording } from '../support/own-recording.ts'

it('infers that a coupon extends a trial where it moves its end and leaves no discount', () => {
  const of = (path: string, body: string, current_period_end: string) => {
    const start = { current_period_start: '2027-01-01T00:00:00Z', discounts: [] }
    return JSON.stringify({
      at: '2027-01-01T00:00:00Z',
      request: { method: 'POST', path: `/v1/subscriptions${path}`, headers, body },
      answer: { status: 200, body: JSON.stringify({ id: 'sub_1', ...start, current_period_end }) },
    })
  }
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
  const lines = [
    of('', 'customer_id=cus_ada&plan=pro&trial_period_days=14', '2027-01-15T00:00:00Z'),
    of('/sub_1/apply-coupon', 'coupon_id=MORE', '2027-01-22T00:00:00Z'),
    of('/sub_1/apply-coupon', 'coupon_id=NONE', '2027-01-22T00:00:00Z'),
  ]
  const { exchanges } = readRecording('a.ndjson', lines.join('\n'))
  const { fixture, inferred } = inferFixture(exchanges)
  expect(inferred).toContain('coupon MORE extends a trial or period by 7 days: exchange 2')
  expect(inferred).toContain(
    'coupon NONE takes 10 percent off forever: no answer shows what it does',
  )
  expect(fixture.coupons).toMatchObject([{ type: 'trial_extension', value: 7 }, { value: 10 }])
})

it.each([
  ['2028-02-07', 'every 7 days'],
  ['2028-02-10', 'every 10 days'],
  ['2028-02-29', 'by the month'],
  ['2028-04-30', 'every 3 months'],
  ['2029-01-31', 'by the year'],
  ['2030-01-31', 'every 2 years'],
  ['2027-12-31', 'by the month: no answer shows its periods'],
])('infers from a period to %s that a plan is billed %s', (end, every) => {
  const period = { current_period_start: '2028-01-31', current_period_end: end }
  const instants = Object.entries(period).map(([name, date]) => [name, `${date}T00:00:00.000Z`])
  const record = { id: '7', plan: 'one', ...Object.fromEntries(instants) }
  const { exchanges } = exchangesOf(['', 'customer_id=a&plan=one', record])
  const { inferred } = inferFixture(exchanges)
  expect(inferred).toContain(`plan one is billed ${every}`)
})

it.each(['status', 'state'])('infers that a customer cannot pay from a past due %s', (name) => {
  const { exchanges } = exchangesOf(['', 'customer_id=a&plan=one', { id: '7', [name]: 'Past Due' }])
  const { fixture } = inferFixture(exchanges)
  expect(fixture.customers).toMatchObject([{ customer_id: 'a', payment_method: 'none' }])
})

it.each([
  [{ until: '2029-01-31T00:00:00Z', made: '2028-01-31T00:00:00Z' }, 'by the year'],
  [{ until: 1833753600 }, 'every 10 days'],
  [
    { until: '2029-01-31T00:00:00Z', next: '2028-02-29T00:00:00Z' },
    'by the month: no answer shows its periods',
  ],
])('infers from %j, whatever the names are, that a plan is billed %s', (instants, every) => {
  const record = { id: '7', plan: 'one', ...instants }
  const { exchanges } = exchangesOf(['', 'customer_id=a&plan=one', record])
  expect(inferFixture(exchanges).inferred).toContain(`plan one is billed ${every}`)
})

it('says that no answer shows how often a plan bills', () => {
  const { exchanges } = exchangesOf(['', 'customer_id=a&plan=one', { id: '7', plan: 'one' }])
  expect(inferFixture(exchanges).inferred).toContain(
    'plan one is billed by the month: no answer shows its periods',
  )
})

it('infers that a coupon extends a period that began after the answer before', () => {
  const of = (start: string, end: string) => ({
    ...{ id: 'sub_7', plan: 'basic', status: 'active', discounts: [] },
    current_period_start: `${start}T00:00:00Z`,
    current_period_end: `${end}T00:00:00Z`,
  })
  const { exchanges } = exchangesOf(
    ['', 'customer_id=a&plan=basic', of('2028-01-10', '2028-02-10'), '2028-01-10T00:00:00Z'],
    ['/sub_7/apply-coupon', 'coupon_id=MORE', of('2028-02-10', '2028-03-17')],
  )
  const { fixture } = inferFixture(exchanges)
  expect(fixture.coupons).toMatchObject([{ type: 'trial_extension', value: 7 }])
})

it('infers that a coupon is limited to the plans on which it was not refused', () => {
  const [basic, pro] = ['basic', 'pro'].map((plan) => ({ id: 'sub_7', plan, status: 'active' }))
  const { exchanges } = exchangesOf(
    ['', 'customer_id=a&plan=basic', { ...basic }],
    ['/sub_7/apply-coupon', 'coupon_id=PRO', { error: 'coupon_not_applicable' }],
    ['/sub_7/update', 'plan=pro', { ...pro }],
    ['/sub_7/apply-coupon', 'coupon_id=PRO', { ...pro }],
  )
  const { fixture, inferred } = inferFixture(exchanges)
  expect(inferred).toContain('coupon PRO is not for plan basic: exchange 2')
  expect(fixture.coupons).toMatchObject([{ coupon_id: 'PRO', applies_to_plans: ['pro'] }])
})

it.each([
  ['has expired since', 'active', '2028-01-30T00:00:00Z'],
  ['was paused', 'paused', '2028-02-29T00:00:00Z'],
])('infers nothing of a coupon that a subscription does not take which %s', (_, status, end) => {
  const record = { id: 'sub_7', plan: 'basic', status, current_period_end: end }
  const message = 'Subscription "sub_7" is expired; a coupon applies to one that has not ended.'
  const { exchanges } = exchangesOf(
    ['', 'customer_id=a&plan=basic', record],
    ['/sub_7/apply-coupon', 'coupon_id=PRO', { error: 'coupon_not_applicable', message }],
  )
  const { inferred } = inferFixture(exchanges)
  expect(inferred.filter((line) => line.startsWith('coupon PRO'))).toEqual([
    'coupon PRO extends a trial or period by 1 day: it was only refused',
  ])
})

it('infers that a coupon which was only refused as exhausted was redeemed before', async () => {
  const refusal = { error: 'coupon_exhausted', message: 'GONE was redeemed by others.' }
  const recording = exchangesOf(
    ['', 'customer_id=a&plan=basic', { id: 'sub_7', plan: 'basic', status: 'active' }],
    ['/sub_7/apply-coupon', 'coupon_id=GONE', refusal],
  )
  const { fixture, inferred } = inferFixture(recording.exchanges)
  expect(inferred).toContain('coupon GONE was redeemed before: exchange 2')
  expect(fixture.coupons).toMatchObject([{ coupon_id: 'GONE', max_redemptions: 1 }])
  const settings = { onProgress: () => undefined, settings: {} }
  const { unexplained } = await learn(recording, { fixture: null, ...settings })
  const differing = unexplained.find(({ exchange }) => exchange === 2)?.differences ?? []
  expect(differing.map(({ at }) => at)).not.toContain('status')
  expect(differing.map(({ at }) => at)).not.toContain('$.error')
})

it('infers that a coupon is limited from a subscription that a later call finds', () => {
  const end = { current_period_end: '2028-01-30T00:00:00Z' }
  const record = { id: 'sub_7', plan: 'basic', status: 'active', ...end }
  const { exchanges } = exchangesOf(
    ['', 'customer_id=a&plan=basic', record],
    ['/sub_7/apply-coupon', 'coupon_id=PRO', { error: 'coupon_not_applicable' }],
    ['/sub_7/pause', '', record],
  )
  expect(inferFixture(exchanges).inferred).toContain('coupon PRO is not for plan basic: exchange 2')
})

it('goes by the plan that a subscription has once a change that waited took effect', () => {
  const [pro, basic] = ['pro', 'basic'].map((plan) => ({ id: 'sub_7', plan, status: 'active' }))
  const { exchanges } = exchangesOf(
    ['', 'customer_id=a&plan=pro', { ...pro }],
    ['/sub_7/update', 'plan=basic', { ...pro, pending_plan: 'basic' }],
    ['/sub_7/apply-coupon', 'coupon_id=PRO', { error: 'coupon_not_applicable' }],
    ['/sub_7/update', 'plan=least', { ...basic, pending_plan: 'least' }],
  )
  const { fixture, inferred } = inferFixture(exchanges)
  expect(inferred).toContain('coupon PRO is not for plan basic: exchange 3')
  const amounts = fixture.plans.map((plan) => [plan.plan_id, 'amount' in plan && plan.amount])
  expect(amounts).toEqual([
    ['pro', 3000],
    ['basic', 2000],
    ['least', 1000],
  ])
})

it('infers no limit from a coupon that the subscription has already', () => {
  const record = { id: 'sub_7', status: 'active', discounts: [{ coupon_id: 'PRO' }] }
  const { exchanges } = exchangesOf(
    ['', 'customer_id=a&plan=basic', { ...record, plan: 'basic', discounts: [] }],
    ['/sub_7/apply-coupon', 'coupon_id=PRO', { ...record, plan: 'basic' }],
    ['/sub_7/update', 'plan=pro', { ...record, plan: 'pro' }],
    ['/sub_7/apply-coupon', 'coupon_id=PRO', { error: 'coupon_not_applicable' }],
  )
  expect(inferFixture(exchanges).inferred.join()).not.toContain('is not for plan')
})

it('infers nothing from a name that a refusal has, which was not found elsewhere', () => {
  const record = { id: 'sub_7', customer_id: 'a', plan: 'basic', status: 'active' }
  const { exchanges } = exchangesOf(
    ['', 'customer_id=a&plan=basic', record],
    ['', 'customer_id=nobody&plan=basic', { error: 'not_found' }],
    ['', 'customer_id=nobody&plan=basic&trial_period_days=x', { error: 'invalid_request' }],
  )
  expect(inferFixture(exchanges).fixture.customers).toMatchObject([{ customer_id: 'a' }])
})

it('infers that a customer cannot pay from a subscription that ended when it was created', () => {
  const { exchanges } = exchangesOf(['', 'customer_id=a&plan=one', { id: '7', status: 'canceled' }])
  const { fixture, inferred } = inferFixture(exchanges)
  expect(fixture.customers).toMatchObject([{ payment_method: 'none' }])
  expect(inferred).toContain('customer a has no payment method: exchange 1 shows it canceled')
})

it.each([
  ['{"error":"invalid_transition","message":"It has expired."}', 409, 'none'],
  ['{"error":"token_expired"}', 401, 'valid'],
])(
  'infers from %s with %i on a trial that its customer has a payment method that is %s',
  (body, status, method) => {
    const trial = { id: '7', customer_id: 'a', plan: 'one', status: 'trialing' }
    const { exchanges } = exchangesOf(['', 'customer_id=a&plan=one', trial], ['/7/update', '', {}])
    const [made, late] = exchanges
    if (made === undefined || late === undefined) throw new Error('nothing was read')
    const { fixture } = inferFixture([made, { ...late, answer: { ...late.answer, status, body } }])
    expect(fixture.customers).toMatchObject([{ customer_id: 'a', payment_method: method }])
  },
)

it('takes no order of plans from a change that waits for another reason', () => {
  const [trial, paused, active] = ['trialing', 'on_hold', 'active'].map((status) => ({
    ...{ id: 'sub_7', plan: 'basic', status },
  }))
  const { exchanges } = exchangesOf(
    ['', 'customer_id=a&plan=basic&trial_period_days=7', { ...trial }],
    ['/sub_7/update', 'plan=pro', { ...trial }],
    ['/sub_7/update', 'plan=best', { ...paused }],
    ['/sub_7/update', 'plan=pro', { ...active, plan: 'pro' }],
    ['/sub_7/update', 'plan=best', { ...active, plan: 'best' }],
  )
  const { fixture } = inferFixture(exchanges)
  const amounts = fixture.plans.map((plan) => [plan.plan_id, 'amount' in plan && plan.amount])
  expect(amounts).toEqual([
    ['basic', 1000],
    ['pro', 2000],
    ['best', 3000],
  ])
})

it('leaves out calls on subscriptions that are older than the recording', () => {
  const record = { id: '9', plan: 'pro', status: 'active' }
  const whole = exchangesOf(
    ['/7/pause', '', { ...record, id: '7' }],
    ['', 'customer_id=a&plan=pro', record],
    ['/9/pause', '', record],
    ['/8/pause', '', { error: 'not_found' }],
    ['/7/cancel', '', { error: 'invalid_transition' }],
  )
  const { exchanges, leftOut } = withoutOlder(whole)
  expect(exchanges.map(({ number, place }) => [number, place])).toEqual([
    [1, 'line 2'],
    [2, 'line 3'],
    [3, 'line 4'],
  ])
  expect(leftOut).toEqual([
    'line 1: its subscription is older than the recording.',
    'line 5: its subscription is older than the recording.',
  ])
  expect(() => withoutOlder({ ...whole, exchanges: whole.exchanges.slice(0, 1) })).toThrow(
    'a.ndjson must have an exchange with a path below /v1; line 1: its subscription is older than the recording.',
  )
})

it('infers coupons and intervals from fields by other names', async () => {
  const folder = await temporaryFolder()
  const shop = join(folder.path, 'shop.json')
  await writeFile(shop, JSON.stringify(historyFixture))
  const subscriptionFields = ['discounts=offers', 'current_period_end=renews_at', 'envelope=data']
  const text = await ownRecording(shop, { subscriptionFields }, ['coupons'])
  await folder.remove()
  const options = { fixture: null, settings: {}, onProgress: () => undefined }
  const { inferred, unexplained } = await learn(readRecording('a.ndjson', text), options)
  expect(inferred).toContain(
    'coupon SAVE20 is of type percentage, value 20, duration repeating: answers show it',
  )
  expect(unexplained).toEqual([])
})
