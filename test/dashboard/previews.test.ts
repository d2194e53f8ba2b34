/** What pages say that an act will cost, beside what the act then costs, over random shops. A failure names its seed. */
import { expect, it } from 'vitest'
import { type Sandbox, startSandbox } from '../../src/index.ts'
import { amountText, instantText } from '../../src/wire/common/text.ts'
import { type Chance, chanceOf, oneOf, seeded, seedFrom, upTo } from '../support/chance.ts'
import { type Visited, type Visitor, visitor } from '../support/dashboard.ts'

const CHANGES = Number(process.env['PREVIEWS'] ?? 200)
const now = '2027-01-01T00:00:00.000Z'
const plans = ['one', 'two', 'three', 'four']
const id = 'sub_000001'

type Try = (sandbox: Sandbox, me: Visitor, chance: Chance) => Promise<void>

it(
  `says before ${CHANGES} random acts what they then do`,
  () =>
    seeded(async (seed) => {
      await using sandbox = await startSandbox({ now })
      const me = visitor(sandbox.url)
      const chance = chanceOf(seed)
      for (let nth = 1; nth <= CHANGES; nth += 1) {
        const own = seedFrom(chance)
        try {
          await tryOne(sandbox, me, chanceOf(own))
        } catch (error) {
          throw new Error(`act ${nth}: ${(error as Error).message}`, { cause: error })
        }
      }
    }),
  240_000,
)

async function tryOne(sandbox: Sandbox, me: Visitor, chance: Chance): Promise<void> {
  await sandbox.reset()
  await openShop(sandbox, chance)
  await live(sandbox, chance)
  await oneOf(tries, chance)(sandbox, me, chance)
}

async function openShop(sandbox: Sandbox, chance: Chance): Promise<void> {
  for (const plan of plans) {
    await sandbox.plans.create({
      ...{ plan_id: plan, product_id: 'prod_app', name: plan, currency: 'USD' },
      amount: chance() < 0.1 ? 0 : upTo(50_000, chance),
      interval: oneOf(['day', 'week', 'month', 'year'] as const, chance),
      interval_count: upTo(3, chance),
    })
  }
  await sandbox.coupons.create({
    ...{ coupon_id: 'PART', type: 'percentage', duration: 'forever' },
    value: upTo(100, chance),
  })
  await sandbox.coupons.create({
    coupon_id: 'DAYS',
    type: 'trial_extension',
    value: upTo(20, chance),
  })
  await sandbox.customers.create({
    customer_id: 'cus_any',
    balance: chance() < 0.5 ? 0 : upTo(60_000, chance),
    payment_method: chance() < 0.1 ? 'none' : 'valid',
  })
}

/** A past, in which what is refused does not happen. */
async function live(sandbox: Sandbox, chance: Chance): Promise<void> {
  const { subscriptions, clock, payments } = sandbox
  if (chance() < 0.4) await payments.script({ always: 'card_declined' })
  await subscriptions.create({
    ...{ customer_id: 'cus_any', plan: oneOf(plans, chance) },
    ...(chance() < 0.3 && { trial_period_days: upTo(20, chance) }),
    ...(chance() < 0.3 && { coupon_id: 'PART' }),
  })
  const steps: readonly (() => Promise<unknown>)[] = [
    () => clock.advance(`P${upTo(20, chance)}DT${upTo(20, chance)}H`),
    () => clock.toNext(),
    () => subscriptions.update(id, { plan: oneOf(plans, chance) }),
    () => subscriptions.applyCoupon(id, { coupon_id: oneOf(['PART', 'DAYS'], chance) }),
    () => subscriptions.cancel(id, { at_period_end: true }),
    () => subscriptions.pause(id),
    () => subscriptions.resume(id),
    () => payments.clear(),
    () => payments.script({ always: 'insufficient_funds' }),
  ]
  for (let left = upTo(5, chance); left > 0; left -= 1) {
    await oneOf(steps, chance)().catch(() => undefined)
  }
}

/** All that an act can move. */
async function booksOf({ invoices, customers }: Sandbox) {
  const [listed, customer] = [await invoices.list(), await customers.get('cus_any')]
  const paid = listed.reduce((sum, { amount_paid }) => sum + amount_paid, 0)
  return { invoices: listed, paid, balance: customer.balance }
}

/** What was charged and what failed between two looks at the books, as a page says it. */
function chargedBetween(before: Books, after: Books): string {
  const paid = after.paid - before.paid
  const unpaid = after.invoices
    .slice(before.invoices.length)
    .filter(({ status }) => status !== 'paid')
    .map((each) => `Due now: ${amountText(each.amount_due, 'USD')}, and the payment fails`)
  const charged = paid === 0 ? [] : [`Charged now: ${amountText(paid, 'USD')}`]
  return [...charged, ...unpaid].join('. ') || 'Nothing is charged now'
}

type Books = Awaited<ReturnType<typeof booksOf>>

const changePlan: Try = async (sandbox, me, chance) => {
  const plan = oneOf(plans, chance)
  const before = await booksOf(sandbox)
  const said = await me.open(`subscriptions/${id}/update?plan=${plan}`)
  expect(await booksOf(sandbox)).toEqual(before)
  const done = await me.send(`subscriptions/${id}/update`, { plan })
  if (done.status !== 303) return expectRefused(said, done)
  const after = await booksOf(sandbox)
  const { status, current_period_end: end, pending_plan } = await sandbox.subscriptions.get(id)
  const holds = pending_plan === plan ? instantText(end) : 'at once'
  expect(titleOf(said)).toBe(chargedBetween(before, after))
  expect(said.text).toContain(
    `The new plan holds ${holds} Status after ${status.replace('_', ' ')}`,
  )
  expect(said.text).toContain(`Balance of the customer after ${amountText(after.balance, 'USD')}`)
  await expectNext(said, sandbox)
}

/** The invoice that the end of the period makes was said before. */
async function expectNext(said: Visited, { subscriptions, clock }: Sandbox): Promise<void> {
  const { current_period_end: end } = await subscriptions.get(id)
  const { now: then } = await clock.get()
  const [next] = end > then ? await subscriptions.forecast(id, { until: end }) : []
  expect(said.text).toContain(
    next === undefined
      ? 'Next invoice – none'
      : `Next invoice ${instantText(next.created_at)} Due then ${amountText(next.amount_due, 'USD')}`,
  )
}

const applyCoupon: Try = async (sandbox, me, chance) => {
  const order = { coupon_id: oneOf(['PART', 'DAYS'], chance) }
  const before = await booksOf(sandbox)
  const said = await me.open(`subscriptions/${id}/apply-coupon?${new URLSearchParams(order)}`)
  expect(await booksOf(sandbox)).toEqual(before)
  const done = await me.send(`subscriptions/${id}/apply-coupon`, order)
  if (done.status !== 303) return expectRefused(said, done)
  expect(titleOf(said)).toBe(chargedBetween(before, await booksOf(sandbox)))
  await expectNext(said, sandbox)
}

const subscribeAgain: Try = async (sandbox, me, chance) => {
  const order = {
    ...{ customer_id: 'cus_any', product_id: 'prod_app', plan: oneOf(plans, chance) },
    ...(chance() < 0.3 && { trial_period_days: String(upTo(20, chance)) }),
    ...(chance() < 0.3 && { coupon_id: 'PART' }),
  }
  const before = await booksOf(sandbox)
  const said = await me.open(`subscriptions/~new/confirm?${new URLSearchParams(order)}`)
  expect(await booksOf(sandbox)).toEqual(before)
  const done = await me.send('subscriptions/~new', order)
  expect(done.status).toBe(303)
  expect(said.text).toContain(
    `The first invoices ${chargedBetween(before, await booksOf(sandbox))}.`,
  )
}

const cancelNow: Try = async (sandbox, me) => {
  const before = await booksOf(sandbox)
  const said = await me.open(`subscriptions/${id}/cancel`)
  const done = await me.send(`subscriptions/${id}/cancel`, { at_period_end: 'false' })
  if (done.status !== 303) return expect(said.text).toContain('does not take this')
  const after = await booksOf(sandbox)
  const voided = after.invoices
    .filter(({ status }, index) => status !== before.invoices[index]?.status)
    .map((each) => each.invoice_id)
  const [, , open = ''] = /(Charged|Nothing|Due)(.*)/.exec(said.text) ?? []
  expect(chargedBetween(before, after)).toBe('Nothing is charged now')
  expect(open).toContain(
    voided.length === 0
      ? ' is charged now. It has no open invoice.'
      : ` is charged now. Its open invoices become void now: ${voided.join(', ')}.`,
  )
}

/** As many of each as are worth it. */
const tries: readonly Try[] = [
  ...[changePlan, changePlan, changePlan, applyCoupon],
  ...[subscribeAgain, cancelNow],
]

/** What is refused was said to be, in the same words. */
function expectRefused(said: Visited, done: Visited): void {
  expect(done.status).toBe(409)
  const [, refusal = ''] = /class="refusal"[^>]*>(?:<p>)?(.*?)</.exec(done.html) ?? []
  expect(refusal).not.toBe('')
  expect(said.html).toContain(refusal)
}

/** The title of what the change costs. */
function titleOf({ html }: Visited): string | undefined {
  return /<h2[^>]*>((?:Charged|Due|Nothing)[^<]*)</.exec(html)?.[1]
}
