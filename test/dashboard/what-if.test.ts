import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Sandbox, startSandbox } from '../../src/index.ts'
import { type Visited, type Visitor, visitor } from '../support/dashboard.ts'

let sandbox: Sandbox
let me: Visitor
let id: string

beforeEach(async () => {
  sandbox = await startSandbox({ now: '2027-01-01T00:00:00.000Z' })
  me = visitor(sandbox.url)
  const order = { customer_id: 'cus_ada', plan: 'basic' }
  id = (await sandbox.subscriptions.create(order)).subscription_id
})

afterEach(() => sandbox.close())

/** Asks as the form does, and expects that nothing in the sandbox changed. */
async function ask(fields: Record<string, string>): Promise<Visited> {
  const before = await sandbox.exportState()
  const shown = await me.open(`what-if?${new URLSearchParams({ asked: 'true', ...fields })}`)
  expect(await sandbox.exportState()).toEqual(before)
  return shown
}

/** The names of the marks of one of the futures. */
function marksOf({ html }: Visited, future: 'as it is' | 'with the change'): string[] {
  const [, lane = ''] = html.split(`aria-label="${id}, ${future}: `)
  const [inside = ''] = lane.split('</svg>')
  return [...inside.matchAll(/aria-label="([^"]*)"/g)].map(([, name = '']) => name)
}

describe('what if, on the dashboard', () => {
  it('asks for a change, and says nothing before', async () => {
    const { text } = await me.open('what-if')
    expect(text).toContain('Another plan')
    expect(text).not.toContain('The difference in money')
  })

  it('shows two futures side by side on one timeline, and the difference in money', async () => {
    const shown = await ask({ subscription_id: id, plan: 'pro', at: '2027-02-15', for: 'P3M' })
    expect(marksOf(shown, 'as it is')).toEqual([
      '2027-03-01: expected: 10.00 USD paid (period)',
      '2027-04-01: expected: 10.00 USD paid (period)',
    ])
    expect(marksOf(shown, 'with the change')).toEqual([
      '2027-02-15: expected: 7.50 USD paid (proration)',
      '2027-03-01: expected: 25.00 USD paid (period)',
      '2027-04-01: expected: 25.00 USD paid (period)',
    ])
    // Half a month of the difference, and two months of all of it.
    expect(shown.text).toContain('paid 40.00 USD 77.50 USD +37.50 USD')
  })

  it('shows what a cancellation loses, and the status that it leads to', async () => {
    const shown = await ask({ ask: 'cancel', subscription_id: id, for: 'P2M' })
    expect(shown.text).toContain('-20.00 USD')
    expect(shown.text).toContain(`${id} active canceled`)
    expect(marksOf(shown, 'with the change')).toEqual([])
    const atEnd = await ask({
      ask: 'cancel',
      subscription_id: id,
      at_period_end: 'true',
      for: 'P1D',
    })
    expect(atEnd.text).toContain('Both futures are the same')
  })

  it('asks for another price, for failing payments and for any call that the API takes', async () => {
    const price = await ask({ ask: 'price', plan_id: 'basic', amount: '1200', for: 'P1M' })
    expect(price.text).toContain('+2.00 USD')
    expect((await me.open('what-if?ask=fail')).html).toContain('value="no_payment_method"')
    const fail = await ask({ ask: 'fail', always: 'card_declined', for: 'P2M' })
    expect(marksOf(fail, 'with the change').at(0)).toMatch(/uncollectible|void/)
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
    const noJson = await ask({ ask: 'other', changes: 'nonsense <b>' })
    expect(noJson.text).toContain('changes must be a list of 1 to 100 changes; got "nonsense <b>"')
    expect(noJson.html).not.toContain('nonsense <b>')
  })
})
