import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import type { Sandbox, Schemas } from '../../src/index.ts'
import { openForEach, type Visitor } from '../support/dashboard.ts'

let sandbox: Sandbox
let me: Visitor

openForEach((opened) => {
  ;({ sandbox, me } = opened)
})

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

  it.each(['starter', 'empty'])(
    'has a first call that works, and plays a year in %s',
    async (fixture) => {
      await sandbox.reset({ fixture })
      const now = '2031-05-06T07:00:00.000Z'
      await sandbox.clock.set({ now, mode: 'frozen' })
      const { html, text } = await me.open('')
      expect(text).toContain('API key sk_sandbox_default')
      const copied = [...html.matchAll(/data-copy="([^"]*)"/g)].map(([, copy = '']) => copy)
      const command = (copied[1] ?? '').replaceAll('&#39;', "'").replaceAll('&quot;', '"')
      const { stdout } = await promisify(execFile)('sh', ['-c', `${command} -s`])
      expect(stdout).toMatch(
        fixture === 'empty' ? /"name":"Ada"/ : /"subscription_id":"sub_000001"/,
      )
      await sandbox.reset({ fixture })
      await sandbox.clock.set({ now, mode: 'frozen' })
      const { location } = await me.send('demo')
      expect(location).toBe('/dashboard/default/?zoom=year&from=2031-05-06&did=played')
      expect((await sandbox.clock.get()).now).toBe('2032-05-05T07:00:00.000Z')
      const statuses = (await sandbox.subscriptions.list()).map(({ status }) => status)
      expect(statuses).toEqual(['active', 'expired', 'canceled'])
      expect((await sandbox.audit()).ok).toBe(true)
      const shown = await me.open('?zoom=year&from=2031-05-06&did=played')
      expect(shown.text).toContain('A year was played')
      expect(shown.text).not.toContain('Play a demo year')
    },
  )

  it('leads from nothing to a plan by forms that lead to the next, and offers no call that does not help', async () => {
    await sandbox.reset({ fixture: 'empty' })
    const [, product = ''] =
      /href="\/dashboard\/default\/(products\/~new\?[^"]*)">Create a plan/.exec(
        (await me.open('')).html,
      ) ?? []
    const { searchParams } = new URL(product.replaceAll('&amp;', '&'), sandbox.url)
    const then = searchParams.get('then') ?? ''
    const { location } = await me.send('products/~new', { name: 'Own', product_id: 'own', then })
    expect(location).toMatch(/^\/dashboard\/default\/plans\/~new\?product_id=own/)
    expect((await me.open('')).html).toContain('href="/dashboard/default/plans/~new">Create a plan')
    await sandbox.customers.create({ name: 'Ada' })
    expect((await me.open('')).text).not.toContain('A first call')
    const plan = { name: 'Basic', amount: 1000, currency: 'USD', interval: 'month' } as const
    await sandbox.plans.create({ product_id: 'own', ...plan })
    expect((await me.open('')).text).toContain('A first call')
  })

  it('has a first call for a customer who can be billed in the currency of a plan, or says what is missing', async () => {
    const offered = async () => (await me.open('')).text
    await sandbox.reset({ fixture: 'empty' })
    await sandbox.customers.create({ customer_id: 'cus_us', currency: 'USD' })
    expect(await offered()).toContain('It needs a plan first: Create a plan')
    await sandbox.products.create({ product_id: 'p', name: 'App' })
    const yen = { product_id: 'p', name: 'Yen', amount: 900, interval: 'month' } as const
    await sandbox.plans.create({ ...yen, plan_id: 'y', currency: 'JPY' })
    expect(await offered()).toMatch(/It needs a customer .*'\{"name":"Ada"\}'/s)
    await sandbox.customers.create({ customer_id: 'cus_any' })
    expect(await offered()).toContain('-d customer_id=cus_any -d plan=y')
    await sandbox.plans.create({ ...yen, plan_id: 'u', currency: 'USD' })
    expect(await offered()).toContain('-d customer_id=cus_us -d plan=u')
  })

  it.each<Schemas['SettingsPatch']>([
    ...[[], ['PT1H'], ['P40D', 'P41D']].map((retry_schedule) => ({ retry_schedule })),
    { subscription_fields: ['subscription_id=id', 'envelope=x'], vary: ['retry-schedule'] },
  ])('plays the year with the settings %o', async (settings) => {
    await sandbox.settings.change(settings)
    expect((await me.send('demo')).location).toContain('did=played')
  })

  it('finds subscriptions by their customer', async () => {
    await subscribe()
    expect((await me.open('?search=LOVELACE')).text).toContain('sub_000001')
    expect((await me.open('?search=linus')).text).toContain('No subscription matches the filter.')
  })

  it('shows a trial and what will come of it, and after a month what came of it', async () => {
    const id = await subscribe()
    const before = await me.open('')
    expect(before.html).toContain(
      `aria-label="${id}: trialing since 2027-01-01, the trial ends 2027-01-15"`,
    )
    expect([...marksOn(before.html).keys()]).toContain(
      '2027-01-15: expected: the trial ends, active from then on: 10.00 USD',
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
    expect(shown.html).toMatch(/the clock, by <a href="\/dashboard\/default\/requests\/req_\d+"/)
    const [, query = '', seq] = /href="[^"]*\/(events\?[^"]*)">event (\d+)</.exec(shown.html) ?? []
    const [, first] =
      / id="event-(\d+)"/.exec((await me.open(query.replace('&amp;', '&'))).html) ?? []
    expect(first).toBe(seq)
  })

  it('shows what a mark leads to below its lane', async () => {
    const [first, second] = [await subscribe(), await subscribe(0, 'cus_linus')]
    const marks = marksOn((await me.open('?order=oldest')).html)
    const [, path = ''] = [...marks].find(([name]) => name.includes('the trial ends')) ?? []
    const { html } = await me.open(path.replace('#mark', ''))
    const places = [`aria-label="${first}: `, 'id="mark"', `aria-label="${second}: `]
    const found = places.map((each) => html.indexOf(each))
    expect(found.every((each) => each > 0)).toBe(true)
    expect(found).toEqual([...found].sort((one, other) => one - other))
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

  it('shows failures and the end that they will come to', async () => {
    const id = await subscribe()
    await sandbox.payments.fail({ subscription_id: id, times: 9 })
    const { html } = await me.open('')
    const [lanes = '', legend = ''] = html.split('class="legend"')
    for (const meaning of ['a payment recovers', 'resumes']) expect(legend).toContain(meaning)
    expect(barsOn(lanes)).toEqual(['trialing future', 'past_due future'])
    const [, path = ''] =
      [...marksOn(html)].find(([name]) => name.includes('after attempt 5')) ?? []
    const shown = await me.open(path.replace('#mark', ''))
    expect(shown.text).toMatch(/Expected: no attempt is left, and the subscription ends \(/)
  })

  it('shows only those that a filter asks for, and says in the words of the API what it refuses', async () => {
    const [ada, bob] = [await subscribe(), await subscribe(0, 'cus_linus')]
    const active = await me.open('?status=active')
    expect(active.text).toContain(bob)
    expect(active.text).not.toContain(ada)
    expect((await me.open('?customer_id=cus_ada')).text).not.toContain(bob)
    expect((await me.open(`?search=${ada}`)).text).not.toContain(bob)
    expect((await me.open(`?search=${ada}&status=active`)).text).not.toContain(ada)
    expect((await me.open('?status=asleep')).text).toContain('status must be')
    expect((await me.open('?status=past_due')).text).toContain(
      'No subscription matches the filter.',
    )
  })

  it('shows fifty at a time, and leads on', async () => {
    const late = await subscribe(0, 'cus_linus')
    for (let count = 0; count < 51; count += 1) await subscribe()
    const first = await me.open('')
    expect(first.html.match(/<svg class="lane"/g)).toHaveLength(50)
    const [, next = ''] = /href="\/dashboard\/default\/([^"]*)" rel="next"/.exec(first.html) ?? []
    const second = await me.open(next.replaceAll('&amp;', '&'))
    expect(second.html.match(/<svg class="lane"/g)).toHaveLength(2)
    expect((await me.open('?group=plan')).text).toContain('only those of this page are grouped')
    expect((await me.open('?zoom=year')).text).not.toContain('only those of this page')
    expect(second.text).toContain(late)
    // In another order, it begins with the first page.
    expect(second.html).toContain('href="/dashboard/default/?sort=trouble"')
    expect((await me.open('?sort=trouble')).text).not.toContain(late)
  })

  it('moves to what was and to what will be, and comes back to now', async () => {
    await subscribe()
    const { html } = await me.open('?zoom=week')
    const linkTo = (name: string) =>
      new RegExp(`href="/dashboard/default/([^"]*)"[^>]*>${name}<`)
        .exec(html)?.[1]
        ?.replace('&amp;', '&')
    expect(html).toContain('<line class="now"')
    // Without scripts it is no control.
    expect(html).toContain('<svg id="now"')
    expect(html).not.toContain('slider')
    expect((await me.open(linkTo('Later') ?? '')).text).toContain('2027-01-02 to 2027-01-09')
    const far = await me.open('?zoom=week&from=2027-03-01')
    expect(far.html.includes('<line class="now"')).toBe(false)
    expect(linkTo('Now')).toBe('?zoom=week')
  })

  it('has no end at the edge of a window in which a bar goes on from one just before', async () => {
    const id = await subscribe(0)
    await sandbox.clock.advance('P1M')
    await sandbox.subscriptions.update(id, { plan: 'pro' })
    await sandbox.clock.advance('P7D')
    const { html } = await me.open('?from=2027-02-02&until=2027-05-01')
    // The first bar of the page is that of the lane, and the others are of the legend.
    expect(/class="bar active" x="([^"]*)"/.exec(html)?.[1]).toBe('-4%')
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

  it('shows now in the last years of a clock, with what comes until its end', async () => {
    await sandbox.reset({ fixture: 'starter' })
    await sandbox.clock.set({ now: '8999-11-15T00:00:00.000Z', mode: 'frozen' })
    const id = await subscribe(0)
    const { html, status } = await me.open('')
    expect(status).toBe(200)
    expect(html).toContain('data-now="8999-11-15T00:00:00.000Z"')
    expect([...marksOn(html).keys()]).toContain('8999-12-15: expected: renews: 10.00 USD')
    expect(html).toContain(`aria-label="${id}: `)
  })

  it('shows what was typed as text, whatever it holds', async () => {
    await subscribe()
    const { html } = await me.open('?customer_id=%22%3E%3Cscript%3Ealert(1)%3C/script%3E')
    expect(html).not.toContain('<script>alert')
  })
})
