/** A sandbox in which something of everything has happened, for pages that show it. */
import { type Sandbox, startSandbox } from '../../src/index.ts'

/** What its records are called where their ids are counted. */
export interface WatchedShop extends AsyncDisposable {
  readonly sandbox: Sandbox
  readonly trialing: string
  readonly active: string
  readonly pastDue: string
  readonly paused: string
  readonly canceled: string
  readonly paidInvoice: string
  readonly openInvoice: string
  readonly proration: string
  readonly charge: string
  readonly login: string
  readonly webhook: string
  readonly refusedRequest: string
  readonly unmatchedRequest: string
}

/** Half a year of it. */
export async function openWatchedShop(): Promise<WatchedShop> {
  const sandbox = await startSandbox({ now: '2027-01-01T00:00:00.000Z', fixture: 'starter' })
  const { subscriptions, customers, coupons, promotions, clock, payments } = sandbox
  for (const name of ['Annie', 'Edsger', 'Barbara']) {
    const customer_id = `cus_${name.toLowerCase()}`
    await customers.create({ customer_id, name, email: `${name.toLowerCase()}@example.com` })
  }
  await coupons.create({
    coupon_id: 'QUARTER',
    ...{ type: 'percentage', value: 25, duration: 'repeating', duration_in_months: 3 },
    max_redemptions: 2,
  })
  await promotions.create({ code: 'SPRING', coupon_id: 'QUARTER' })
  const subscribe = async (customer_id: string, plan: string, more = {}) =>
    (await subscriptions.create({ customer_id, plan, ...more })).subscription_id
  const active = await subscribe('cus_ada', 'basic', { coupon_id: 'QUARTER' })
  const paused = await subscribe('cus_annie', 'pro')
  const canceled = await subscribe('cus_edsger', 'basic', { trial_period_days: 14 })
  const pastDue = await subscribe('cus_barbara', 'pro')
  await sandbox.checkpoint('first-day')
  // As the dashboard names the one before a move.
  await sandbox.checkpoint(`auto-${'0'.repeat(32)}`)
  await clock.advance('P2M')
  await subscriptions.pause(paused)
  await subscriptions.cancel(canceled, { at_period_end: true })
  await subscriptions.update(active, { plan: 'pro' })
  await payments.fail({ subscription_id: pastDue, times: 4, reason: 'expired_card' })
  await clock.advance('P1M')
  await payments.fail({ subscription_id: active, reason: 'insufficient_funds' })
  const trialing = await subscribe('cus_linus', 'basic', { trial_period_days: 30 })
  await clock.advance('P1D')
  const { family_id: login } = await sandbox.tokens.issue({ subject: 'ada' })
  const { charge_id: charge } = await sandbox.charges.create({
    ...{ customer_id: 'cus_ada', amount: 500, currency: 'USD' },
  })
  await sandbox.faults.create({ match: {}, effect: { delay_ms: 1 }, times: 1 })
  const { webhook_id: webhook } = await sandbox.webhooks.create({
    ...{ url: 'http://127.0.0.1:9/events', event_types: ['sandbox.reset'] },
  })
  // Refused, and no operation at all.
  await fetch(`${sandbox.url}/v1/subscriptions`, { method: 'POST' })
  await fetch(`${sandbox.url}/v1/subscription`, { headers: { Authorization: 'Bearer x' } })
  const requests = await sandbox.requests.list()
  const invoices = await sandbox.invoices.list()
  const idOf = (fits: (invoice: (typeof invoices)[number]) => boolean) =>
    invoices.find(fits)?.invoice_id ?? ''
  return {
    sandbox,
    ...{ trialing, active, pastDue, paused, canceled, charge, login, webhook },
    paidInvoice: idOf(({ status }) => status === 'paid'),
    openInvoice: idOf(({ status }) => status === 'open'),
    proration: idOf(({ reason }) => reason === 'proration'),
    refusedRequest:
      requests.find(({ refusal, nearest }) => refusal !== null && nearest === null)?.request_id ??
      '',
    unmatchedRequest: requests.find(({ nearest }) => nearest !== null)?.request_id ?? '',
    [Symbol.asyncDispose]: () => sandbox.close(),
  }
}
