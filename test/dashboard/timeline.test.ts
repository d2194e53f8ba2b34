import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Sandbox, startSandbox } from '../../src/index.ts'
import { type Visitor, visitor } from '../support/dashboard.ts'

let sandbox: Sandbox
let me: Visitor

beforeEach(async () => {
  sandbox = await startSandbox({ now: '2027-01-01T00:00:00.000Z' })
  me = visitor(sandbox.url)
})

afterEach(() => sandbox.close())

async function subscribe(days = 14, customer = 'cus_ada'): Promise<string> {
  const order = { customer_id: customer, plan: 'basic', trial_period_days: days }
  return (await sandbox.subscriptions.create(order)).subscription_id
}

/** The links of the marks of a page, by what they are called. */
function marksOn(html: string): Map<string, string> {
  const links = html.matchAll(/<a class="mark [^"]*" href="([^"]*)" aria-label="([^"]*)"/g)
  return new Map(
    [...links].map(([, href = '', label = '']) => [
      label,
      href.replaceAll('&amp;', '&').replace('/dashboard/default/', ''),
    ]),
  )
}

function barsOn(html: string): string[] {
  return [...html.matchAll(/class="bar ([^"]*)"/g)].map(([, name = '']) => name)
}

describe('the timeline', () => {
  it('says what to do where there is no subscription', async () => {
    const { text, html } = await me.open('')
    expect(text).toContain('There is no subscription yet')
    expect(html).toContain('href="/dashboard/default/subscriptions/~new"')
  })

  it('shows a trial and what will come of it, and after a month what came of it', async () => {
    const id = await subscribe()
    const before = await me.open('')
    expect(before.html).toContain(
      `aria-label="${id}: trialing since 2027-01-01, the trial ends 2027-01-15"`,
    )
    expect([...marksOn(before.html).keys()]).toContain(
      '2027-01-15: expected: the trial ends, active from then on: 10.00 USD and 1 more',
    )
    await me.send('clock/advance', { move: 'P1M', back: '/dashboard/default/' })
    const after = await me.open('')
    expect(after.html).toContain(`aria-label="${id}: active since 2027-01-15, renews 2027-02-15"`)
    expect([...marksOn(after.html).keys()]).toContain(
      '2027-01-15: the trial ended and 3 more, 10.00',
    )
  })

  it('leads from a mark to its events, its invoice and its cause', async () => {
    const id = await subscribe()
    await sandbox.payments.fail({ subscription_id: id })
    await sandbox.clock.advance('P20D')
    const marks = marksOn((await me.open('?zoom=month')).html)
    const [label, path = ''] = [...marks].find(([name]) => name.includes('attempts')) ?? []
    expect(label).toBe(
      '2027-01-15 to 2027-01-16: attempts 1 2: 10.00, recovered on day 1 (1 failed 2027-01-15, 2 succeeded 2027-01-16) and 6 more',
    )
    const shown = await me.open(path.replace('#mark', ''))
    const [invoice] = await sandbox.invoices.list()
    expect(shown.text).toContain(`${invoice?.invoice_id} failed: card_declined`)
    expect(shown.html).toContain(`href="/dashboard/default/invoices/${invoice?.invoice_id}"`)
    expect(shown.html).toMatch(/the clock, <a href="\/dashboard\/default\/requests\/req_\d+"/)
  })

  it('shows what a mark leads to below its lane', async () => {
    const [first, second] = [await subscribe(), await subscribe(0, 'cus_linus')]
    const marks = marksOn((await me.open('')).html)
    const [, path = ''] = [...marks].find(([name]) => name.includes('the trial ends')) ?? []
    const { html } = await me.open(path.replace('#mark', ''))
    const places = [`aria-label="${first}: `, 'id="mark"', `aria-label="${second}: `]
    const found = places.map((each) => html.indexOf(each))
    expect(found.every((each) => each > 0)).toBe(true)
    expect(found).toEqual([...found].sort((one, other) => one - other))
  })

  it('puts trouble first, groups, and draws compact lanes, where the address says so', async () => {
    const { subscriptions, payments } = sandbox
    const [ada, linus] = [await subscribe(0), await subscribe(0, 'cus_linus')]
    const ending = await subscribe(0)
    const failing = await subscribe(0, 'cus_linus')
    await subscriptions.cancel(ending, { at_period_end: true })
    await payments.script({ subscription_id: failing, always: 'card_declined' })
    const lanes = async (query: string) => {
      const { html, text } = await me.open(query)
      const labels = [...html.matchAll(/<svg class="lane"[^>]* aria-label="(sub_\d+)/g)]
      return { ids: labels.map(([, id]) => id), html, text }
    }
    const plain = await lanes('')
    expect(plain.ids).toEqual([ada, linus, ending, failing])
    expect(plain.text).toContain(`Ada Lovelace , basic ${ada}`)
    const sorted = '?sort=trouble&group=customer&lanes=compact'
    const { ids, html, text } = await lanes(sorted)
    expect(ids).toEqual([failing, linus, ending, ada])
    expect(text).toMatch(/Linus Pauling, 2 subscriptions.*Ada Lovelace, 2 subscriptions/)
    expect(html.match(/<svg class="lane" width="100%" height="24"/g)).toHaveLength(4)
    expect(html).toContain(
      'href="/dashboard/default/?sort=trouble&amp;group=customer" aria-current="true">Compact',
    )
    expect((await lanes('?sort=trouble')).ids).toEqual([failing, ending, ada, linus])
    expect((await lanes('?group=plan')).text).toContain('basic, 4 subscriptions')
    expect(text).not.toContain('only those of this page are sorted')
    await sandbox.clock.advance('P1M')
    await payments.script({ subscription_id: ada, always: 'card_declined' })
    // Past due, then a payment that will fail.
    expect((await lanes('?sort=trouble')).ids).toEqual([failing, ada, linus, ending])
  })

  it('leads from a mark to come to the clock, which moves there', async () => {
    await subscribe()
    const marks = marksOn((await me.open('')).html)
    const [, path = ''] = [...marks].find(([name]) => name.includes('expected: renews')) ?? []
    const shown = await me.open(path.replace('#mark', ''))
    const [, to = ''] = /name="to" value="([^"]*)"/.exec(shown.html) ?? []
    await me.send('clock/advance', { move: 'to', to })
    expect(await sandbox.clock.now()).toBe('2027-02-15T00:00:00.000Z')
  })

  it('says of one alone what its invoices to come amount to', async () => {
    const id = await subscribe(0)
    await sandbox.subscriptions.update(id, { plan: 'pro' })
    await subscribe(0)
    const marks = marksOn((await me.open(`?subscription_id=${id}`)).html)
    const [, path = ''] = [...marks].find(([name]) => name.startsWith('2027-02-01')) ?? []
    const shown = await me.open(path.replace('#mark', ''))
    expect(shown.text).toContain('Expected: an invoice (period) of 25.00 USD, paid')
  })

  it('shows failures and the end that they will come to', async () => {
    const id = await subscribe()
    await sandbox.payments.fail({ subscription_id: id, times: 9 })
    const { html } = await me.open('')
    const [lanes = '', legend = ''] = html.split('class="legend"')
    for (const meaning of ['a payment recovers', 'resumes']) expect(legend).toContain(meaning)
    expect(barsOn(lanes)).toEqual(['trialing future', 'past_due future'])
    const [, path = ''] =
      [...marksOn(html)].find(([name]) => name.includes('after the 5th attempt')) ?? []
    const shown = await me.open(path.replace('#mark', ''))
    expect(shown.text).toMatch(/Expected: no attempt is left, and the subscription ends \(/)
  })

  it('shows only those that a filter asks for, and says in the words of the API what it refuses', async () => {
    const [ada, bob] = [await subscribe(), await subscribe(0, 'cus_linus')]
    const active = await me.open('?status=active')
    expect(active.text).toContain(bob)
    expect(active.text).not.toContain(ada)
    expect((await me.open('?customer_id=cus_ada')).text).not.toContain(bob)
    expect((await me.open(`?subscription_id=${ada}`)).text).not.toContain(bob)
    expect((await me.open('?subscription_id=sub_none')).text).toContain('sub_none')
    expect((await me.open('?status=asleep')).text).toContain('status must be')
    expect((await me.open('?status=past_due')).text).toContain(
      'No subscription matches the filter.',
    )
  })

  it('shows fifty at a time, and leads on', async () => {
    for (let count = 0; count < 51; count += 1) await subscribe()
    const first = await me.open('')
    expect(first.html.match(/<svg class="lane"/g)).toHaveLength(50)
    const [, next = ''] = /href="\/dashboard\/default\/([^"]*)" rel="next"/.exec(first.html) ?? []
    const second = await me.open(next.replaceAll('&amp;', '&'))
    expect(second.html.match(/<svg class="lane"/g)).toHaveLength(1)
    const only = 'only those of this page are sorted and grouped'
    expect((await me.open('?sort=trouble')).text).toContain(only)
    expect((await me.open('?zoom=year')).text).not.toContain(only)
    expect(second.text).toContain('sub_000051')
  })

  it('moves to what was and to what will be, and comes back to now', async () => {
    await subscribe()
    const { html } = await me.open('?zoom=week')
    const linkTo = (name: string) =>
      new RegExp(`href="/dashboard/default/([^"]*)">${name}<`)
        .exec(html)?.[1]
        ?.replace('&amp;', '&')
    expect(html).toContain('<line class="now"')
    expect((await me.open(linkTo('Later') ?? '')).text).toContain('2027-01-02 to 2027-01-09')
    const far = await me.open('?zoom=week&from=2027-03-01')
    expect(far.html.includes('<line class="now"')).toBe(false)
    expect(linkTo('Now')).toBe('?zoom=week')
  })

  it('calls the paused status what the sandbox calls it', async () => {
    await sandbox.settings.change({ paused_status_name: 'on_hold' })
    const id = await subscribe(0)
    await sandbox.subscriptions.pause(id)
    await sandbox.clock.advance('P1D')
    const { html } = await me.open('?status=on_hold')
    expect(html).toContain(`aria-label="${id}: on hold since 2027-01-01"`)
    expect(barsOn(html).slice(0, 2)).toEqual(['paused', 'paused future'])
  })

  it('says where it stops where there is too much to come', async () => {
    const terms = { amount: 100, currency: 'USD', interval: 'day' } as const
    await sandbox.plans.create({
      plan_id: 'daily',
      product_id: 'prod_app',
      name: 'Daily',
      ...terms,
    })
    for (let count = 0; count < 5; count += 1) {
      await sandbox.subscriptions.create({ customer_id: 'cus_ada', plan: 'daily' })
    }
    expect((await me.open('')).text).not.toContain('what comes later is not shown')
    const { text, html } = await me.open('?zoom=year')
    expect(text).toContain(
      'The future is worked out until 2027-07-21; what comes later is not shown',
    )
    expect(html).not.toMatch(/aria-label="[^"]*2027-08/)
  })

  it('shows what was typed as text, whatever it holds', async () => {
    await subscribe()
    const { html } = await me.open('?customer_id=%22%3E%3Cscript%3Ealert(1)%3C/script%3E')
    expect(html).not.toContain('<script>alert')
  })

  it('shows plans, amounts, discounts and what is to come, each by its name', async () => {
    const { subscriptions, payments, clock } = sandbox
    const order = { customer_id: 'cus_ada', plan: 'pro' }
    const { subscription_id: moving } = await subscriptions.create(order)
    await subscriptions.update(moving, { plan: 'basic' })
    const { subscription_id: ending } = await subscriptions.create(order)
    await subscriptions.cancel(ending, { at_period_end: true })
    const coupon = { ...order, coupon_id: 'SAVE20' }
    const { subscription_id: reduced } = await subscriptions.create(coupon)
    const { subscription_id: failing } = await subscriptions.create(order)
    await payments.script({ subscription_id: failing, always: 'card_declined' })
    const trial = await subscribe(14, 'cus_grace')
    const { subscription_id: stopped } = await subscriptions.create(order)
    await clock.advance('P3D')
    await subscriptions.cancel(stopped)
    const { html } = await me.open('')
    const months = [...html.matchAll(/aria-label="([^"]*)" class="month"/g)].map(([, name]) => name)
    expect(months).toEqual(
      expect.arrayContaining([
        'Jan 2027: 120.00 USD paid, 5.00 USD discounted',
        'Feb 2027: 30.00 USD paid (expected), 5.00 USD discounted (expected), 25.00 USD failed (expected)',
      ]),
    )
    const [, february = ''] =
      /href="\/dashboard\/default\/([^"]*)" aria-label="Feb 2027/.exec(html) ?? []
    const shown = await me.open(february.replace('&amp;', '&'))
    expect(shown.text).toContain('From 2027-02-01 to 2027-03-01')
    const laneOf = (id: string) => {
      const [row = ''] = html.split('<tr>').filter((each) => each.includes(`aria-label="${id}: `))
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
        '2027-02-01: expected: canceled 2027-02-01, as scheduled',
        'canceled 2027-02-01, as scheduled',
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
        'canceled 2027-02-08, after the 5th attempt',
      ]),
    )
    expect(laneOf(trial)).toContain('expired 2027-01-15, without a payment method')
    expect(laneOf(stopped)).toContain('canceled 2027-01-04, by a request')
  })
})
