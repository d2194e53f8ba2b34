/** The order of lanes on the timeline: what is in trouble comes first, on whichever page it would be. */
import { expect, it } from 'vitest'
import type { Sandbox } from '../../src/index.ts'
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
  expect(plain.ids).toEqual([failing, ending, linus, ada])
  expect((await lanes('?order=oldest')).ids).toEqual([ada, linus, ending, failing])
  expect(plain.html).toContain('href="/dashboard/default/?order=oldest">Oldest first<')
  expect(plain.text).toContain(`Ada Lovelace , basic ${ada}`)
  const sorted = '?sort=trouble&group=customer&lanes=compact'
  const { ids, html, text } = await lanes(sorted)
  expect(ids).toEqual([failing, linus, ending, ada])
  expect(text).toMatch(/Linus Pauling , 2 subscriptions.*Ada Lovelace , 2 subscriptions/)
  expect(html.match(/<svg class="lane" width="100%" height="24"/g)).toHaveLength(4)
  expect(html).toContain(
    'href="/dashboard/default/?sort=trouble&amp;group=customer" aria-current="true">Compact',
  )
  expect((await lanes('?sort=trouble')).ids).toEqual([failing, ending, linus, ada])
  expect(html).toContain('<span><bdi>Ada Lovelace</bdi>, ')
  expect((await lanes('?group=plan')).text).toContain('basic , 4 subscriptions')
  expect((await lanes('?group=constructor')).text).not.toContain(', 1 subscription')
  expect(text).not.toContain('only those of this page are sorted')
  // Two customers can have one name.
  await sandbox.customers.update('cus_linus', { name: 'Ada Lovelace' })
  expect((await lanes(sorted)).text.match(/Ada Lovelace , 2 subscriptions/g)).toHaveLength(2)
  await sandbox.clock.advance('P1M')
  await payments.script({ subscription_id: ada, always: 'card_declined' })
  // Past due, then a payment that will fail.
  expect((await lanes('?sort=trouble')).ids).toEqual([failing, ada, ending, linus])
})

it('puts trouble first on whichever page it would be: what is past due, what will fail, what will end', async () => {
  const [late, failing, ending] = [await subscribe(0), await subscribe(20), await subscribe(20)]
  for (let count = 0; count < 60; count += 1) await subscribe(20)
  await sandbox.subscriptions.cancel(ending, { at_period_end: true })
  await sandbox.payments.script({ subscription_id: failing, always: 'card_declined' })
  const lanes = async (query: string) => {
    const { html, text } = await me.open(query)
    const [, next = ''] = /href="\/dashboard\/default\/([^"]*)" rel="next"/.exec(html) ?? []
    const labels = [...html.matchAll(/<svg class="lane"[^>]* aria-label="(sub_\d+)/g)]
    return { ids: labels.map(([, id]) => id), text, next: next.replaceAll('&amp;', '&') }
  }
  const first = await lanes('?sort=trouble')
  expect(first.ids.slice(0, 3)).toEqual([failing, ending, 'sub_000063'])
  expect(first.text).not.toContain('Sorted are the first')
  // Every one is on one page.
  const second = await lanes(first.next)
  expect(second.next).toBe('')
  const all = [...first.ids, ...second.ids]
  expect([all.length, new Set(all).size]).toEqual([63, 63])
  await sandbox.payments.script({ subscription_id: late, always: 'card_declined' })
  await sandbox.clock.to('2027-02-02T00:00:00.000Z')
  const worst = await lanes('?sort=trouble')
  expect(worst.ids[0]).toBe(late)
  expect((await lanes('?sort=trouble&order=oldest')).ids[0]).toBe(late)
  expect((await lanes('?sort=trouble&status=active')).ids).not.toContain(late)
  expect((await lanes(`?sort=trouble&search=${late}`)).ids).toEqual([late])
  // More of it than one page has goes on on the next.
  await sandbox.payments.script({ always: 'card_declined' })
  await sandbox.clock.to('2027-02-22T00:00:00.000Z')
  const [one, many] = [await lanes('?sort=trouble'), await lanes('?sort=trouble&zoom=year')]
  expect(one.ids).toHaveLength(50)
  const rest = await lanes(many.next)
  expect(new Set([...many.ids, ...rest.ids]).size).toBe(63)
  expect(rest.text).toContain('First page')
})
