import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { outcome, run } from '../support/command-line.ts'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'scenario-'))
})
afterAll(() => rm(folder, { recursive: true }))

const scenario = (...args: readonly string[]) => outcome(run(['scenario', ...args], {}, folder))

async function stored(name: string, text: string): Promise<string> {
  await writeFile(join(folder, name), text)
  return name
}

/** 14 months with a coupon, an upgrade in month 3 and a failing card in month 5. */
const shop = `now: 2027-01-01
steps:
  - createSubscription: { customer_id: cus_ada, plan: basic }
  - applyCoupon: { subscription_id: sub_000001, coupon_id: SAVE20 }
  - at: P3M
    updateSubscription: { subscription_id: sub_000001, plan: pro }
  - at: P5M
    scriptPaymentOutcomes: { subscription_id: sub_000001, outcomes: [card_declined] }
before: P14M
customers: [cus_ada]
`

it('reads no amount with decimals as minor units, and suggests the field that was meant', async () => {
  const steps = `
  - createCoupon: { coupon_id: A, type: percentage, value: 20.0, duration: forever }
  - createCoupon: { coupon_id: B, type: fixed, value: 5.00, currency: USD, duration: forever }
  - createPlan: { plan_id: new, product_id: prod_app, name: New, amount: 10.0, currency: USD, interval: month }
  - aplyCoupon: { subscription_id: sub_000001, coupon_id: A }
`
  const file = await stored('decimals.yaml', `steps:${steps}before: P1M\n`)
  const { err } = await scenario('run', file)
  const integer = 'must be an integer from \\d to 1000000000000 \\(minor units\\); got'
  expect(err).toMatch(new RegExp(`createCoupon.value ${integer} "5.00"`))
  expect(err).toMatch(new RegExp(`createPlan.amount ${integer} "10.0"`))
  expect(err).toContain('aplyCoupon is not a known field; did you mean applyCoupon? Fields: at, ')
  expect(err).not.toContain('20.0')
})

it('answers what a customer pays over 14 months, month by month', async () => {
  const { code, out, err } = await scenario('run', await stored('shop.scenario.yaml', shop))
  expect([code, err]).toEqual([0, ''])
  const [bill = '', timeline = ''] = out.split('\nTimeline\n')
  expect(bill).toBe(`2027-01-01 -> 2028-03-01

cus_ada, USD
month    day  subscription  for                     amount  discounts  balance     due  status
2027-01  01   sub_000001    period basic             10.00          -        -   10.00  paid
2027-02  01   sub_000001    period basic             10.00      -2.00        -    8.00  paid
2027-03  01   sub_000001    period basic             10.00      -2.00        -    8.00  paid
2027-04  01   sub_000001    period basic             10.00      -2.00        -    8.00  paid
         01   sub_000001    proration basic to pro   12.00          -        -   12.00  paid
         sum                                         22.00      -2.00            20.00
2027-05  01   sub_000001    period pro               25.00          -        -   25.00  paid
2027-06  01   sub_000001    period pro               25.00          -        -   25.00  paid
2027-07  01   sub_000001    period pro               25.00          -        -   25.00  paid 2027-07-02
${['2027-08', '2027-09', '2027-10', '2027-11', '2027-12', '2028-01', '2028-02']
  .map(
    (month) =>
      `${month}  01   sub_000001    period pro               25.00          -        -   25.00  paid\n`,
  )
  .join('')}total                                               302.00      -6.00           296.00

Total 296.00 USD: 296.00 paid.
`)
  expect(timeline.split('\n').filter((line) => line.startsWith('2027-07'))).toEqual([
    '2027-07-01        sub_000001 renewed until 2027-08-01',
    '2027-07-01        inv_000008 (period): 25.00 USD due',
    '2027-07-01        inv_000008 failed: card_declined, next attempt 2027-07-02',
    '2027-07-01        sub_000001 past due',
    '2027-07-02        inv_000008 paid: 25.00 USD',
    '2027-07-02        sub_000001 active again',
  ])
})

it('refuses to test without a golden file, and writes it with --update', async () => {
  const file = await stored('new.scenario.yaml', shop)
  const golden = join(folder, 'new.scenario.golden.txt')
  const refused = await scenario('test', file)
  expect(refused.code).toBe(2)
  expect(refused.err).toContain(
    'new.scenario.golden.txt does not exist; npx subscription-sandbox scenario test new.scenario.yaml --update writes it.\n',
  )
  await expect(readFile(golden)).rejects.toThrow('ENOENT')
  expect(await scenario('test', file, '--update')).toEqual({
    code: 0,
    out: 'new.scenario.golden.txt is written.\n',
    err: '',
  })
  const { out } = await scenario('run', file)
  expect(await readFile(golden, 'utf8')).toBe(out)
  expect(await scenario('test', file)).toMatchObject({ code: 0, out: '1 scenario, as stored.\n' })
  await rm(golden)
  await mkdir(golden)
  const named = 'The golden file new.scenario.golden.txt cannot be'
  expect(await scenario('test', file)).toMatchObject({
    code: 2,
    err: expect.stringContaining(`${named} read: it is a folder.`),
  })
  expect(await scenario('test', file, '--update')).toMatchObject({
    code: 3,
    err: `${named} written: it is a folder.\n`,
  })
})

it('writes one golden file for one scenario, and not for another of the same name', async () => {
  await stored('twice.scenario.json', '{"steps":[],"before":"P1M"}')
  const yaml = await stored('twice.scenario.yaml', shop)
  const files = [yaml, `./${yaml}`, './twice.scenario.json']
  const message =
    './twice.scenario.golden.txt would be of twice.scenario.yaml and ./twice.scenario.json; rename one of them.\n'
  expect(await scenario('test', ...files, '--update')).toMatchObject({
    code: 2,
    err: expect.stringContaining(message),
  })
  const { out } = await scenario('run', yaml)
  expect(await readFile(join(folder, 'twice.scenario.golden.txt'), 'utf8')).toBe(out)
  expect(await scenario('test', yaml)).toMatchObject({ code: 0 })
  expect((await scenario('test', ...files)).err).toContain(message)
})

it('shows a change of a price as a difference of lines, and ends with 1', async () => {
  const priced = (amount: number) => `now: 2027-01-01
steps:
  - changePlan: { plan_id: basic, amount: ${amount} }
  - createSubscription: { customer_id: cus_ada, plan: basic }
before: P2M
`
  const file = await stored('price.scenario.yaml', priced(1000))
  await scenario('test', file, '--update')
  await stored('price.scenario.yaml', priced(1200))
  const { code, out } = await scenario('test', file)
  expect(code).toBe(1)
  expect(out).toContain(`--- price.scenario.golden.txt\tstored
+++ price.scenario.golden.txt\tnow
`)
  expect(out).toMatch(/^-total +20\.00 +20\.00$/m)
  expect(out).toMatch(/^\+total +24\.00 +24\.00$/m)
  expect(out).toMatch(/^-Total 20\.00 USD: 20\.00 paid\.$/m)
  expect(out).toMatch(/\nNot as stored: 1 of 1 scenario\. If that is intended, /)
})

it.each([
  ['steps: [{ at: soon }]\nbefore: P1M', '1: steps[0].at must be an instant or a date such as'],
  [
    'before: 14 months',
    '1: before must be an instant or a date such as 2027-03-01, or a duration from the start such as P3M; got "14 months"; the nearest is "P14M".',
  ],
  ['before: P1M\nsteps:\n  - fly: {}', '3: steps[0].fly is not a known field; fields: at, '],
  ['steps: []', '1: before is missing; it must be an instant or a date'],
  [
    'before: P1M\nsteps:\n  - createSubscription: { customer_id: cus_ada, plan: basc }',
    '3: steps[0].createSubscription: plan "basc" does not exist; did you mean "basic"?',
  ],
  [
    'before: P3M\nsteps:\n  - at: P2M\n  - at: P1M',
    '4: steps[1].at must be 2027-03-01T00:00:00.000Z, where the clock is by then, or later; got 2027-02-01T00:00:00.000Z.',
  ],
  [
    'before: P1M\nsteps:\n  - at: P1M',
    '3: steps[0].at must be earlier than 2027-02-01T00:00:00.000Z, the end; got 2027-02-01T00:00:00.000Z.',
  ],
  [
    'before: P1M\ncustomers: [cus_ad]',
    '2: customers[0] "cus_ad" does not exist; did you mean "cus_ada"? Customers: cus_ada, ',
  ],
  ['fixture: strter\nbefore: P1M', '1: fixture: "strter" does not exist; did you mean "starter"?'],
  ['fixture: ./none.yaml\nbefore: P1M', '1: fixture: none.yaml: there is no such file or folder.'],
  [
    'before: P1M\nfixture:\n  plans:\n    - { plan_id: team, product_id: prod, name: Team, amount: -1, currency: USD, interval: month }',
    '4: fixture.plans[0].amount must be an integer from 0 to',
  ],
  [
    'before: P1M\nfixture:\n  plans:\n    - { plan_id: team, product_id: prod, name: Team, amount: 1, currency: USD, interval: month }',
    '4: fixture.plans[0]: product_id "prod" does not exist; there are no products.',
  ],
  [
    'before: P1M\nsteps:\n  - advanceClock: { by: P1D, dry_run: true }',
    '3: steps[0].advanceClock must be an object with one of by, to, to_next, and until',
  ],
])('refuses %j with file, line, field and rule', async (text, message) => {
  const file = await stored('wrong.scenario.yaml', text)
  const { code, out, err } = await scenario('run', file)
  expect([code, out]).toEqual([2, ''])
  expect(err).toContain(`wrong.scenario.yaml:${message}`)
})

it('begins with a fixture in it, and shows several customers, charges and what is withdrawn', async () => {
  const file = await stored(
    'inline.scenario.yaml',
    `description: Two customers.
fixture:
  now: 2027-01-31
  products: [{ product_id: app, name: App }]
  plans:
    - { plan_id: team, product_id: app, name: Team, amount: 500, currency: EUR, interval: month }
  customers:
    - { customer_id: ann, name: Ann, currency: EUR }
    - { customer_id: bob, name: Bob, currency: EUR }
steps:
  - createSubscription: { customer_id: ann, plan: team }
  - createSubscription: { customer_id: bob, plan: team }
  - createCharge: { customer_id: bob, amount: 150, currency: EUR }
  - scriptPaymentOutcomes: { customer_id: bob, always: card_declined }
  - advanceClock: { until: { subscription_id: sub_000002, status: past_due }, within: P2M }
  - cancelSubscription: { subscription_id: sub_000002 }
before: P1M2D
`,
  )
  const { code, out } = await scenario('run', file)
  expect(code).toBe(0)
  expect(out.split('\nTimeline')[0]).toMatchInlineSnapshot(`
    "Two customers.
    2027-01-31 -> 2027-03-02

    ann, EUR
    month    day  subscription  for          amount  discounts  balance    due  status
    2027-01  31   sub_000001    period team    5.00          -        -   5.00  paid
    2027-02  28   sub_000001    period team    5.00          -        -   5.00  paid
    total                                     10.00                      10.00

    bob, EUR
    month    day  subscription  for          amount  discounts  balance   due  status
    2027-01  31   sub_000002    period team    5.00          -        -  5.00  paid
             31                 charge         1.50          -        -  1.50  paid
             sum                               6.50                      6.50
    2027-02  28   sub_000002    period team       -          -        -     -  void
    total                                      6.50                      6.50

    Total 16.50 EUR: 16.50 paid.
    "
  `)
})

it('shows the subscriptions that are asked for', async () => {
  const file = await stored(
    'one.scenario.yaml',
    `steps:
  - createSubscription: { customer_id: cus_ada, plan: basic }
  - createSubscription: { customer_id: cus_linus, plan: pro }
before: P1M
subscriptions: [sub_000002]
`,
  )
  const { out } = await scenario('run', file)
  expect(out).toContain('Total 25.00 USD: 25.00 paid.')
  expect(out).not.toContain('sub_000001')
  expect(out).not.toContain('inv_000001')
})
