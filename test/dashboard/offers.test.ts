/** Actions that pages offer: those, and only those, that the sandbox does not refuse in the status. */
import { describe, expect } from 'vitest'
import type { Sandbox } from '../../src/index.ts'
import { itAt, type Visited, type Visitor, visitor } from '../support/dashboard.ts'

const it = itAt('2027-01-01T00:00:00.000Z')
const id = 'sub_000001'
const page = `subscriptions/${id}`

const histories: Readonly<Record<string, (sandbox: Sandbox) => Promise<unknown>>> = {
  trialing: ({ subscriptions }) =>
    subscriptions.create({ customer_id: 'cus_ada', plan: 'basic', trial_period_days: 7 }),
  active: subscribe,
  'active, set to cancel': async (sandbox) => {
    await subscribe(sandbox)
    await sandbox.subscriptions.cancel(id, { at_period_end: true })
  },
  past_due: unpaid,
  paused: async (sandbox) => {
    await subscribe(sandbox)
    await sandbox.subscriptions.pause(id)
  },
  'paused, under another name, set to cancel': async (sandbox) => {
    await sandbox.settings.change({ paused_status_name: 'on_hold' })
    await subscribe(sandbox)
    await sandbox.subscriptions.cancel(id, { at_period_end: true })
    await sandbox.subscriptions.pause(id)
  },
  canceled: async (sandbox) => {
    await subscribe(sandbox)
    await sandbox.subscriptions.cancel(id)
  },
  expired: async (sandbox) => {
    const order = { customer_id: 'cus_grace', plan: 'basic', trial_period_days: 7 }
    await sandbox.subscriptions.create(order)
    await sandbox.clock.advance('P7D')
  },
}

function subscribe({ subscriptions }: Sandbox) {
  return subscriptions.create({ customer_id: 'cus_ada', plan: 'basic' })
}

async function unpaid(sandbox: Sandbox) {
  await sandbox.payments.script({ customer_id: 'cus_ada', always: 'card_declined' })
  await subscribe(sandbox)
}

/** What is sent to which page, and how the pages show that it can be done. */
const actions: readonly {
  readonly path: string
  readonly fields?: Readonly<Record<string, string>>
  readonly isOffered: (shown: Shown) => boolean
}[] = [
  { path: 'pause', isOffered: ({ one }) => leadsTo(one, 'pause') },
  { path: 'resume', isOffered: ({ one }) => one.html.includes(`action="${at('resume')}"`) },
  {
    path: 'remove-scheduled-cancellation',
    isOffered: ({ one }) => one.html.includes(`action="${at('remove-scheduled-cancellation')}"`),
  },
  {
    path: 'update',
    fields: { plan: 'pro' },
    isOffered: ({ one, update }) => leadsTo(one, 'update') && hasField(update, 'plan'),
  },
  {
    path: 'apply-coupon',
    fields: { coupon_id: 'SAVE20' },
    isOffered: ({ one, coupon }) => leadsTo(one, 'apply-coupon') && hasField(coupon, 'coupon_id'),
  },
  ...(['true', 'false'] as const).map((value) => ({
    path: 'cancel',
    fields: { at_period_end: value },
    isOffered: ({ one, cancel }: Shown) =>
      leadsTo(one, 'cancel') && cancel.html.includes(`name="at_period_end" value="${value}"`),
  })),
]

type Shown = Readonly<Record<'one' | 'update' | 'coupon' | 'cancel', Visited>>

async function open(me: Visitor): Promise<Shown> {
  return {
    one: await me.open(page),
    update: await me.open(`${page}/update`),
    coupon: await me.open(`${page}/apply-coupon`),
    cancel: await me.open(`${page}/cancel`),
  }
}

const at = (action: string) => `/dashboard/default/${page}/${action}`
const leadsTo = ({ html }: Visited, action: string) => html.includes(`href="${at(action)}"`)
const hasField = ({ html }: Visited, name: string) => html.includes(`name="${name}"`)

describe('a subscription on the dashboard', () => {
  it.for(Object.keys(histories))(
    'offers what is not refused: %s',
    async (status, { sandbox, me }) => {
      await histories[status]?.(sandbox)
      const shown = await open(me)
      for (const { path, fields = {}, isOffered } of actions) {
        const fork = await sandbox.fork()
        const { status } = await visitor(sandbox.url, fork.id).send(`${page}/${path}`, fields)
        const name = `${path} ${JSON.stringify(fields)}`
        expect([name, isOffered(shown)]).toEqual([name, status === 303])
        await fork.close()
      }
    },
  )

  it('offers no plan in another currency', async ({ sandbox, me }) => {
    const plan = { plan_id: 'basic_eur', product_id: 'prod_app', name: 'Basic', amount: 900 }
    await sandbox.plans.create({ ...plan, currency: 'EUR', interval: 'month' })
    await subscribe(sandbox)
    const { html } = await me.open(`${page}/update`)
    expect(html).toContain('value="pro"')
    expect(html).not.toContain('basic_eur')
    expect((await me.send(`${page}/update`, { plan: 'basic_eur' })).status).not.toBe(303)
  })

  it('is not canceled any more once the scheduled cancellation is removed', async ({
    sandbox,
    me,
  }) => {
    await subscribe(sandbox)
    await sandbox.subscriptions.cancel(id, { at_period_end: true })
    const { location } = await me.send(`${page}/remove-scheduled-cancellation`)
    expect(location).toBe(`/dashboard/default/${page}?did=cancellation_removed`)
    expect((await me.open(`${page}?did=cancellation_removed`)).text).toContain(
      'The scheduled cancellation is removed.',
    )
    expect(await sandbox.subscriptions.get(id)).toMatchObject({ cancel_at_period_end: false })
  })
})

describe('an invoice on the dashboard', () => {
  it.for(['open', 'uncollectible', 'paid', 'void'])(
    'can be paid where it is not refused: %s',
    async (status, { sandbox, me }) => {
      if (status === 'uncollectible') await sandbox.settings.change({ retry_schedule: [] })
      await (status === 'paid' ? subscribe(sandbox) : unpaid(sandbox))
      if (status === 'void') await sandbox.subscriptions.cancel(id)
      expect((await sandbox.invoices.get('inv_000001')).status).toBe(status)
      const { html } = await me.open('invoices/inv_000001')
      const pay = await me.send('invoices/inv_000001/pay')
      expect(html.includes('/invoices/inv_000001/pay"')).toBe(pay.status === 303)
    },
  )
})
