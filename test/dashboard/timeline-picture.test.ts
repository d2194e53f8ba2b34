/** The picture of a scenario: each thing that happened, or will, is found by its name and its amount. */
import { expect, it } from 'vitest'
import { laneOf } from '../../src/dashboard/timeline/lane.ts'
import { startSandbox } from '../../src/index.ts'
import { visitor } from '../support/dashboard.ts'
import { playTimelineScenario } from '../support/timeline-scenario.ts'

it('shows plans, amounts, discounts and what is to come, each by its name', async () => {
  await using sandbox = await startSandbox({ now: '2027-01-01T00:00:00.000Z' })
  const me = visitor(sandbox.url)
  const { moving, ending, reduced, failing, trial, stopped } = await playTimelineScenario(sandbox)
  const { html } = await me.open('')
  const months = [...html.matchAll(/aria-label="([^"]*)" class="month"/g)].map(([, name]) => name)
  expect(months).toEqual(
    expect.arrayContaining([
      'Jan 2027: 120.00 USD paid, 5.00 USD discounted',
      'Feb 2027: 30.00 USD paid (expected), 5.00 USD discounted (expected), 25.00 USD failed (expected)',
    ]),
  )
  const named = (page: string) =>
    [...page.matchAll(/<text class="name"[^>]*>([^<]*)</g)].map(([, name]) => name)
  const names = ['Oct', 'Nov', 'Dec', 'Jan 2027', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul']
  expect(named(html)).toEqual(['Sep 2026', ...names.slice(0, named(html).length - 1)])
  expect(named((await me.open('?zoom=year')).html)).toEqual(
    expect.arrayContaining(['Jan ’27', 'Feb']),
  )
  const [, february = ''] =
    /href="\/dashboard\/default\/([^"]*)" aria-label="Feb 2027/.exec(html) ?? []
  const shown = await me.open(february.replace('&amp;', '&'))
  expect(shown.text).toContain('From 2027-02-01 to 2027-03-01')
  const laneOf = (id: string) => {
    const [row = ''] = html.split('<tr ').filter((each) => each.includes(`aria-label="${id}: `))
    const names = [...row.matchAll(/aria-label="([^"]*)"|<title>([^<]*)<|<text[^>]*>([^<]*)</g)]
    return names.map(([, label, title, text]) => label ?? title ?? text ?? '')
  }
  expect(laneOf(moving)).toEqual(
    expect.arrayContaining([
      'pro',
      '25.00',
      '→ basic',
      '2027-02-01: expected: renews: 10.00 USD',
      '10.00',
    ]),
  )
  expect(laneOf(ending)).toEqual(
    expect.arrayContaining([
      '2027-02-01: will be canceled 2027-02-01, as scheduled',
      'will be canceled 2027-02-01, as scheduled',
    ]),
  )
  expect(laneOf(reduced)).toEqual(
    expect.arrayContaining([
      '20.00',
      'SAVE20: -20 %, ends 2027-04-01',
      '2027-02-01: expected: renews: 20.00 USD',
    ]),
  )
  const failed = [1, 3, 5, 7].map((days, n) => `${n + 2} expected: fails 2027-02-0${days + 1}`)
  expect(laneOf(failing)).toEqual(
    expect.arrayContaining([
      `2027-02-01 to 2027-02-08: attempts 1 2 3 4 5: 25.00 fails (1 expected: fails 2027-02-01, ${failed.join(', ')}) and 4 more`,
      ...['1', '2', '3', '4', '5', '25.00 fails'],
      'will be canceled 2027-02-08, after attempt 5',
    ]),
  )
  expect(laneOf(trial)).toContain('will expire 2027-01-15, without a payment method')
  expect(laneOf(stopped)).toContain('canceled 2027-01-04, by a request')
  const { text: later } = await me.open('?from=2027-02-01')
  expect(later).toContain('← canceled 2027-01-04, by a request')
})

it('draws a discount up to the end of its months, and not to the invoice after it', async () => {
  await using sandbox = await startSandbox({ now: '2027-01-01T00:00:00.000Z' })
  const me = visitor(sandbox.url)
  const { subscriptions, clock } = sandbox
  await subscriptions.create({ customer_id: 'cus_ada', plan: 'basic_yearly', coupon_id: 'SAVE20' })
  const year = '?zoom=year&from=2027-01-01'
  await clock.to('2027-03-31')
  expect((await me.open(year)).html).toContain('<title>SAVE20: -20 %, ends 2027-04-01<')
  await clock.to('2027-04-05')
  expect((await me.open(year)).html).toContain('<title>SAVE20: -20 %, ended 2027-04-01<')
  await clock.to('2028-01-15')
  expect((await me.open(year)).html).toContain('<title>SAVE20: ended 2027-04-01<')
})

it('draws a discount from the end of a trial that another coupon made longer', async () => {
  await using sandbox = await startSandbox({ now: '2027-01-01T00:00:00.000Z' })
  const { subscriptions, coupons, clock } = sandbox
  const months = { duration: 'repeating', duration_in_months: 2 } as const
  await coupons.create({ coupon_id: 'TWO', type: 'percentage', value: 10, ...months })
  const { subscription_id: id } = await subscriptions.create({
    ...{ customer_id: 'cus_ada', plan: 'basic', trial_period_days: 10, coupon_id: 'TWO' },
  })
  const ribbons = async () => {
    const { now } = await clock.get()
    const [subscription, events] = await Promise.all([subscriptions.get(id), sandbox.events.list()])
    return laneOf({ subscription, events, agenda: [], now, horizon: now }).ribbons
  }
  await subscriptions.applyCoupon(id, { coupon_id: 'MORETIME' })
  const drawn = { from: '2027-01-25T00:00:00.000Z', until: '2027-03-25T00:00:00.000Z' }
  expect(await ribbons()).toMatchObject([drawn])
  await clock.to('2027-05-01')
  expect(await ribbons()).toMatchObject([{ ...drawn, words: 'ended 2027-03-25' }])
})

it('says what is due at an attempt, after a credit has paid a part of the invoice', async () => {
  await using sandbox = await startSandbox({ now: '2027-03-01T00:00:00.000Z' })
  const me = visitor(sandbox.url)
  const { subscriptions, payments, plans, clock, invoices } = sandbox
  const { product_id } = await plans.get('basic')
  const price = { amount: 300, currency: 'USD', interval: 'week', interval_count: 1 } as const
  await plans.create({ plan_id: 'weekly', product_id, name: 'Weekly', ...price })
  const declined = (count: number) =>
    payments.script({ customer_id: 'cus_ada', outcomes: Array(count).fill('card_declined') })
  await declined(1)
  const { subscription_id: id } = await subscriptions.create({
    ...{ customer_id: 'cus_ada', plan: 'basic' },
  })
  await clock.advance('PT6H')
  await subscriptions.update(id, { plan: 'weekly' })
  expect(await invoices.get('inv_000001')).toMatchObject({ status: 'open', amount_due: 308 })
  const runOn = async () => /aria-label="([^"]*attempts[^"]*)"/.exec((await me.open('')).html)?.[1]
  expect(await runOn()).toContain('attempts 1 2: 3.08, recovers on day 1 (')
  await declined(1)
  expect(await runOn()).toContain('attempts 1 2 3: 3.08, recovers on day 3 (')
  await clock.advance('P1D')
  expect(await runOn()).toContain('attempts 1 2 3: 3.08, recovers on day 3 (')
  await clock.advance('P2D')
  expect(await runOn()).toContain('attempts 1 2 3: 3.08, recovered on day 3 (')
})

it('has the amounts of other invoices beside the attempts to pay one', async () => {
  await using sandbox = await startSandbox({ now: '2027-01-01T00:00:00.000Z' })
  const me = visitor(sandbox.url)
  const { subscriptions, payments, clock } = sandbox
  const { subscription_id: id } = await subscriptions.create({
    ...{ customer_id: 'cus_ada', plan: 'basic' },
  })
  await payments.script({ customer_id: 'cus_ada', outcomes: ['card_declined'] })
  await clock.advance('P31D')
  await subscriptions.update(id, { plan: 'pro' })
  const runIn = async (zoom: string) => {
    const { html } = await me.open(`?zoom=${zoom}`)
    const [, label, inside] = /aria-label="([^"]*attempts[^"]*)"(.*?)<\/a>/s.exec(html) ?? []
    return [label, /<text [^>]*>([^<]*)<\/text><\/a>/.exec(`${inside}</a>`)?.[1]]
  }
  const year = await runIn('year')
  expect(year[0]).toContain('attempts 1 2: 10.00 + 15.00: 10.00, recovers on day 1 (')
  expect(year[1]).toBe('10.00 + 15.00')
  // Later there is nothing after it that is near.
  await subscriptions.cancel(id, { at_period_end: true })
  await clock.advance('P10D')
  const [label, note] = await runIn('quarter')
  expect(label).toContain('attempts 1 2: 10.00, recovered on day 1 + 15.00 (')
  expect(note).toBe('10.00, recovered on day 1 + 15.00')
})

it('says that an invoice was paid after the end, which recovers nothing, and covers no text by it', async () => {
  await using sandbox = await startSandbox({ now: '2027-01-31T00:00:00.000Z' })
  const me = visitor(sandbox.url)
  const { subscriptions, payments, clock, invoices } = sandbox
  await subscriptions.create({ customer_id: 'cus_ada', plan: 'basic' })
  const outcomes = Array(5).fill('card_declined')
  await payments.script({ customer_id: 'cus_ada', outcomes })
  await clock.to('2027-04-05')
  await invoices.pay('inv_000002')
  const texts = async (query: string) => {
    const { html } = await me.open(query)
    return [...html.matchAll(/<text([^>]*)>([^<]*)</g)].map(
      ([, place, text]) => [text, place] as const,
    )
  }
  const found = new Map(await texts('?from=2027-03-10'))
  expect([...found.keys()]).toContain('10.00, paid on day 36')
  // The sixth attempt is on the middle of the lane.
  expect(found.get('← canceled 2027-03-07, after attempt 5')).toContain('y="48"')
  const behind = new Map(await texts('?from=2027-02-01')).get(
    'canceled 2027-03-07, after attempt 5',
  )
  expect(behind).toContain('y="48"')
  const year = await texts('?zoom=year&from=2027-01-01')
  expect(year.map(([text]) => text)).toEqual(expect.arrayContaining(['1–5', '6']))
  expect(new Map(year).get('canceled 2027-03-07, after attempt 5')).toContain('y="48"')
  const compact = (await texts('?from=2027-03-10&lanes=compact')).map(([text]) => text)
  expect(compact).not.toContain('← canceled 2027-03-07, after attempt 5')
  await clock.to('2027-09-01')
  // Nothing is near it there.
  const gone = new Map(await texts('')).get('← canceled 2027-03-07, after attempt 5')
  expect(gone).toContain('y="32"')
})
