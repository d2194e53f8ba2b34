import { describe, expect, it } from 'vitest'
import type { Sandbox } from '../../src/index.ts'
import { openForEach, type Visited, type Visitor, visitor } from '../support/dashboard.ts'

let sandbox: Sandbox
let me: Visitor
let id: string

openForEach(async (opened) => {
  ;({ sandbox, me } = opened)
  const order = { customer_id: 'cus_ada', plan: 'basic' }
  id = (await sandbox.subscriptions.create(order)).subscription_id
})

/** Asks as the form does, and expects that nothing in the sandbox changed. */
async function ask(fields: Record<string, string>): Promise<Visited> {
  const before = await sandbox.exportState()
  const shown = await me.open(`what-if?${new URLSearchParams({ asked: 'true', ...fields })}`)
  expect(await sandbox.exportState()).toEqual(before)
  return shown
}

/** The names of the marks of a lane and of its branch. */
function marksOf({ html }: Visited, subscription = id): string[] {
  const [, lane = ''] = html.split(`aria-label="${subscription}: `)
  const [inside = ''] = lane.split('</tr>')
  return [...inside.matchAll(/aria-label="([^"]*)"/g)].map(([, name = '']) => name)
}

describe('what if, on the dashboard', () => {
  it('asks for a change, and says nothing before', async () => {
    const { text } = await me.open('what-if')
    expect(text).toContain('Another plan')
    expect(text).not.toContain('The difference in money')
  })

  it('shows the change as a branch of the lane, with the amounts of both and the difference in money', async () => {
    const shown = await ask({ subscription_id: id, plan: 'pro', at: '2027-02-15', for: 'P3M' })
    expect(marksOf(shown)).toEqual([
      '2027-01-01: subscribed to basic, active and 2 more, 10.00',
      '2027-02-01: expected: renews: 10.00 USD',
      '2027-03-01: expected: renews: 10.00 USD',
      '2027-04-01: expected: renews: 10.00 USD',
      '2027-02-15: expected: 7.50 USD paid (proration)',
      '2027-03-01: expected: 25.00 USD paid (period)',
      '2027-04-01: expected: 25.00 USD paid (period)',
    ])
    expect(shown.text).toContain('Ada Lovelace , basic')
    // Half a month of the difference, and two months of all of it.
    expect(shown.text).toContain('Paid in all 40.00 USD 77.50 USD +37.50 USD')
    expect(shown.text).toContain(
      'with the change: pro 7.50 USD more due on 2027-02-15, 37.50 USD more until 2027-04-01',
    )
    expect(shown.text).toContain('2027-03-01: +15.00 USD, 22.50 USD in all')
    expect(shown.html).toContain('class="bar branch"')
  })

  it('shows what a cancellation loses, and where its branch ends', async () => {
    const shown = await ask({ ask: 'cancel', subscription_id: id, for: 'P2M' })
    expect(shown.text).toContain('20.00 USD less until 2027-03-01')
    expect(shown.text).toContain(`${id} active canceled`)
    expect(marksOf(shown).at(-1)).toBe('2027-01-01: will be canceled 2027-01-01')
    const options = { at_period_end: 'true', for: 'P2M' }
    const atEnd = await ask({ ask: 'cancel', subscription_id: id, ...options })
    expect(marksOf(atEnd).at(-1)).toBe('2027-02-01: will be canceled 2027-02-01')
    const same = await ask({ ask: 'cancel', subscription_id: id, ...options, for: 'P1D' })
    expect(same.text).toContain('Both futures are the same')
  })

  it('draws only subscriptions that differ, a limited number, and says how many there are', async () => {
    for (let nth = 0; nth < 27; nth += 1) {
      await sandbox.subscriptions.create({ customer_id: 'cus_ada', plan: 'basic' })
    }
    await sandbox.subscriptions.create({ customer_id: 'cus_linus', plan: 'pro' })
    const one = await ask({ subscription_id: id, plan: 'pro', for: 'P2M' })
    expect(one.html.match(/class="bar branch"/g)).toHaveLength(2)
    expect(one.text).toContain('1 subscription differs; 28 are the same in both futures')
    // Those of the other subscriptions of the customer do not differ.
    expect(one.text).not.toMatch(/and \d+ more$/)
    const price = await ask({ ask: 'price', plan_id: 'basic', amount: '12.00', for: 'P2M' })
    // One is in the legend.
    expect(price.html.match(/class="bar branch"/g)).toHaveLength(26)
    expect(price.text).toContain('and 3 more')
    expect(price.text).toContain('28 subscriptions differ; 1 is the same in both futures')
    expect(price.text).toContain('All customers together: 112.00 USD more until 2027-03-01.')
  })

  it('says of several currencies only what differs', async () => {
    const terms = { product_id: 'prod_app', currency: 'JPY', interval: 'month' } as const
    await sandbox.plans.create({ plan_id: 'yen', name: 'Yen', amount: 1500, ...terms })
    await sandbox.customers.create({ customer_id: 'cus_yen' })
    await sandbox.subscriptions.create({ customer_id: 'cus_yen', plan: 'yen' })
    const change = { ask: 'price', plan_id: 'basic', for: 'P1M' }
    const { text } = await ask({ ...change, amount: '12.00' })
    expect(text).toContain('All customers together: 2.00 USD more until 2027-02-01.')
    const same = await ask({ ...change, plan_id: 'pro', amount: '12.00', for: 'P1M' })
    expect(same.text).not.toContain('the same is paid, the same is paid')
  })

  it('says first what it works on where that takes long, and does not count what the answer leaves out', async () => {
    const terms = { product_id: 'prod_app', currency: 'USD', interval: 'day' } as const
    await sandbox.plans.create({ plan_id: 'daily', name: 'Daily', amount: 100, ...terms })
    for (let nth = 0; nth < 40; nth += 1) {
      await sandbox.subscriptions.create({ customer_id: 'cus_linus', plan: 'daily' })
    }
    const query = 'asked=true&ask=price&plan_id=daily&amount=1.50'
    const answer = await fetch(`${sandbox.url}/dashboard/default/what-if?${query}`)
    const parts: string[] = []
    const decoder = new TextDecoder()
    for await (const part of answer.body ?? []) parts.push(decoder.decode(part, { stream: true }))
    const [start = '', ...rest] = parts
    const says = 'Comparing two futures of 41 subscriptions\\. <progress'
    expect(start).toMatch(new RegExp(`role="status"><label class="notice working">${says}></`))
    expect(start).not.toContain('id="ready"')
    const shares = new RegExp(
      `^(<label class="notice working">${says} value="0\\.\\d+"></progress></label>)*`,
    )
    const last = rest.join('').replace(shares, '')
    expect(last).toMatch(/^<p id="ready"[\s\S]*<\/html>$/)
    expect(rest.join('').match(/>period<\/td>/g)?.length).toBe(200)
    expect(rest.join('')).toContain('are drawn. The money of 1 customer differs.')
    expect(rest.join('')).toContain('All customers together: 7,300.00 USD more until 2028-01-01.')
    const pause = { operation: 'pauseSubscription', params: { subscription_id: id } }
    const changes = JSON.stringify([pause, { ...pause, at: '2027-12-01T00:00:00.000Z' }])
    const late = await ask({ ask: 'other', changes })
    expect(late.html).toContain('id="ready"')
    expect(late.text).toContain('changes[1]: ')
    expect(late.html).toContain('id="field-changes-wrong">changes[1]: Pause is refused')
  })

  it('draws a subscription that the change creates, and reads none that does not exist', async () => {
    const body = { customer_id: 'cus_linus', plan: 'pro' }
    const changes = JSON.stringify([{ operation: 'createSubscriptionAtCheckout', body }])
    const shown = await ask({ ask: 'other', changes, for: 'P1M' })
    expect(marksOf(shown, 'sub_000002')[0]).toBe('2027-01-01: expected: 25.00 USD paid (period)')
    expect(shown.html).toContain(
      'aria-label="sub_000002: not there yet; with the change: 25.00 USD',
    )
    expect(await sandbox.requests.list()).toHaveLength(1)
  })

  it('makes the change that was asked for, once for one form', async () => {
    const question = { asked: 'true', ask: 'fail', flow: 'one', always: 'card_declined' }
    const { html } = await me.open(`what-if?${new URLSearchParams(question)}`)
    expect(html).toContain('<input type="hidden" name="flow" value="one"/>')
    const first = await me.send('what-if', { ...question, in: 'here' })
    expect(first.location).toBe('/dashboard/default/?did=made')
    const again = await me.send('what-if', { ...question, in: 'here' })
    expect(again.location).toBe('/dashboard/default/?did=done_before')
    const other = { ...question, flow: 'two', ask: 'plan', subscription_id: id, plan: 'pro' }
    const { location } = await me.send('what-if', { ...other, in: 'here' })
    expect(location).toBe(`/dashboard/default/subscriptions/${id}?did=made`)
    const calls = (await sandbox.requests.list()).map((each) => each.operation_id)
    expect(calls.slice(0, 2)).toEqual(['updateSubscription', 'scriptPaymentOutcomes'])
    const price = { ask: 'price', flow: 'three', plan_id: 'basic', amount: '1,200.50' }
    await me.send('what-if', { ...price, in: 'here' })
    expect((await sandbox.plans.get('basic')).amount).toBe(120_050)
    expect((await sandbox.subscriptions.get(id)).plan).toBe('pro')
    // A reset takes both back.
    await sandbox.reset()
    const anew = await me.send('what-if', { ...question, in: 'here' })
    expect(anew.location).toBe('/dashboard/default/?did=made')
    expect(await sandbox.payments.list()).toHaveLength(1)
  })

  it('makes no change where the clock has moved since the page compared the futures', async () => {
    const question = { asked: 'true', ask: 'plan', subscription_id: id, plan: 'pro' }
    const { html } = await me.open(`what-if?${new URLSearchParams(question)}`)
    const [, seen = ''] = /name="seen" value="([^"]+)"/.exec(html) ?? []
    await sandbox.clock.advance('P1D')
    const sent = { ...question, flow: 'one', in: 'here' }
    const refused = await me.send('what-if', { ...sent, seen })
    expect(refused.text).toContain('Nothing was done: the clock has moved since this was shown.')
    expect((await sandbox.subscriptions.get(id)).plan).toBe('basic')
    const [, fresh = ''] = /name="seen" value="([^"]+)"/.exec(refused.html) ?? []
    const { location } = await me.send('what-if', { ...sent, seen: fresh })
    expect(location).toContain('did=made')
  })

  it('makes the change again where a checkpoint has taken it back', async () => {
    await sandbox.checkpoint('before')
    const question = { ask: 'plan', flow: 'one', subscription_id: id, plan: 'pro', in: 'here' }
    const makeIt = async () => (await me.send('what-if', question)).location
    const page = `/dashboard/default/subscriptions/${id}?did=`
    expect(await makeIt()).toBe(`${page}made`)
    expect(await makeIt()).toBe(`${page}done_before`)
    await me.send('clock/advance', { move: 'P1D' })
    // What goes back to a moment after it leaves it.
    const [, { name } = { name: '' }] = await sandbox.checkpoints.list()
    await sandbox.checkpoints.restore(name)
    expect(await makeIt()).toBe(`${page}done_before`)
    await sandbox.checkpoints.restore('before')
    expect(await makeIt()).toBe(`${page}made`)
    expect((await sandbox.subscriptions.get(id)).plan).toBe('pro')
  })

  it('makes a change of a fork at its instant, in whatever zone that was typed', async () => {
    await sandbox.clock.to('2027-01-10T12:00:00.000Z')
    const change = { ask: 'plan', subscription_id: id, plan: 'pro', in: 'fork', flow: 'zone' }
    await me.send('what-if', { ...change, at: '2027-01-10T11:30:00-05:00' })
    const [, { sandbox_id: made } = { sandbox_id: '' }] = await sandbox.siblings()
    const { text } = await visitor(sandbox.url, made).open('events?type=subscription.plan_changed')
    expect(text).toMatch(/\d 2027-01-10 16:30 .*moved from basic to pro/)
  })

  it('makes a later change in a fork only, at its instant, and leads there', async () => {
    const question = { asked: 'true', ask: 'plan', subscription_id: id, plan: 'pro' }
    const later = { ...question, at: '2027-02-15', flow: 'later' }
    const { text } = await me.open(`what-if?${new URLSearchParams(later)}`)
    expect(text).not.toContain('Make it so')
    const { location } = await me.send('what-if', { ...later, in: 'fork' })
    const [, fork = ''] =
      /^\/dashboard\/([^/]+)\/subscriptions\/sub_000001\?did=/.exec(location ?? '') ?? []
    const [bill] =
      (await visitor(sandbox.url, fork).open(`subscriptions/${id}`)).text.match(
        /proration|moved from basic to pro/,
      ) ?? []
    expect(bill).toBe('moved from basic to pro')
    expect((await sandbox.subscriptions.get(id)).plan).toBe('basic')
    expect((await me.send('what-if', { ...later, in: 'fork' })).location).toBe(location)
    expect(await sandbox.siblings()).toHaveLength(2)
    const refused = await me.send('what-if', { ...later, in: 'here' })
    expect(refused.status).toBe(400)
    expect(refused.text).toContain('changes[0].at must be from')
    const none = await me.send('what-if', { ...question, plan: 'nothing', in: 'fork' })
    expect(none.text).toContain('plan "nothing" does not exist')
    const nonsense = await me.send('what-if', {
      asked: 'true',
      ask: 'other',
      changes: '7',
      in: 'fork',
    })
    expect(nonsense.text).toContain('changes must be a list')
    expect(await sandbox.siblings()).toHaveLength(2)
  })

  it('asks for another price, for failing payments and for any call that the API takes', async () => {
    const form = await me.open('what-if')
    expect(form.html).toContain(`<option value="${id}">`)
    expect(form.html).toContain('<option value="pro_yearly">')
    const price = await ask({ ask: 'price', plan_id: 'basic', amount: '12.00', for: 'P1M' })
    expect(price.text).toContain('+2.00 USD')
    expect((await me.open('what-if?ask=fail')).html).toContain('value="no_payment_method"')
    const fail = await ask({ ask: 'fail', always: 'card_declined', for: 'P2M' })
    expect(marksOf(fail).at(-2)).toMatch(
      /^2027-02-01 to 2027-02-08: attempts 1 2 3 4 5: 10.00 fails/,
    )
    expect(fail.text).toContain('10.00 USD uncollectible after 5 attempts')
    expect(fail.html).not.toContain('</svg>uncollectible')
    expect(marksOf(fail).at(-1)).toBe('2027-02-08: will be canceled 2027-02-08')
    const daily = { product_id: 'prod_app', name: 'Daily', amount: 99, currency: 'USD' } as const
    await sandbox.plans.create({ ...daily, plan_id: 'daily', interval: 'day' })
    const order = { customer_id: 'cus_linus', plan: 'daily' }
    const { subscription_id: often } = await sandbox.subscriptions.create(order)
    const failing = { ask: 'fail', subscription_id: often, always: 'card_declined', for: 'P1M' }
    const [, branch = ''] = (await ask(failing)).html.split('class="leaves"')
    // Invoices that become void with it are no ends.
    expect(branch.split('</tr>')[0]?.match(/class="mark ended/g)).toHaveLength(1)
    const changes = JSON.stringify([
      { operation: 'pauseSubscription', params: { subscription_id: id } },
    ])
    const other = await ask({ ask: 'other', changes, for: 'P1M' })
    expect(other.text).toContain('-10.00 USD')
    const paused = await ask({ ask: 'pause', subscription_id: id, for: 'P1M' })
    expect(paused.text).toContain('-10.00 USD')
  })

  it('asks for a coupon', async () => {
    const terms = { type: 'percentage', value: 50, duration: 'forever' } as const
    await sandbox.coupons.create({ coupon_id: 'HALF', ...terms } as never)
    const { text } = await ask({
      ask: 'coupon',
      subscription_id: id,
      coupon_id: 'HALF',
      for: 'P1M',
    })
    expect(text).toContain('-5.00 USD')
  })

  it('says what is wrong in the words of the API, beside its field, with what was typed', async () => {
    const noPlan = await ask({ subscription_id: id, plan: '', for: 'soon' })
    expect(noPlan.text).toContain('changes[0].body.plan must be the identifier of a plan')
    expect(noPlan.html).toContain('aria-describedby="field-plan-wrong"')
    expect(noPlan.html).toContain(`value="${id}"`)
    expect((await ask({ ask: 'cancel', subscription_id: 'sub_none' })).text).toContain(
      'changes[0]: subscription_id &quot;sub_none&quot; does not exist'.replaceAll('&quot;', '"'),
    )
    const price = { ask: 'price', plan_id: 'basic' }
    const third = await ask({ ...price, amount: '12.345' })
    expect(third.html).toContain(
      'id="field-amount-wrong">amount must be an amount in USD, such as 12.50; got &quot;12.345&quot;.',
    )
    expect((await ask({ ...price, plan_id: 'basc', amount: '12.50' })).html).toContain(
      'id="field-plan_id-wrong">plan_id &quot;basc&quot; does not exist',
    )
    const noJson = await ask({ ask: 'other', changes: 'nonsense <b>' })
    expect(noJson.text).toContain('changes must be a list of 1 to 100 changes; got "nonsense <b>"')
    expect(noJson.html).not.toContain('nonsense <b>')
  })
})
