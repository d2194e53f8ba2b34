import { expect } from 'vitest'
import { itAt } from '../support/dashboard.ts'

const it = itAt('8999-12-20T00:00:00.000Z')

it('previews changes up to the end of the clock', async ({ sandbox, me }) => {
  await sandbox.subscriptions.create({ customer_id: 'cus_ada', plan: 'basic' })
  for (const act of ['update?plan=pro', 'update?plan=pro_yearly', 'pause', 'cancel']) {
    const { text } = await me.open(`subscriptions/sub_000001/${act}`)
    expect(text, act).not.toContain('must not go past')
    expect(text, act).toMatch(/harged now/)
  }
})

it('previews the first invoices up to the end of the clock', async ({ me }) => {
  const order = 'customer_id=cus_ada&product_id=prod_app&plan=basic'
  for (const step of ['plan', 'offer', 'confirm']) {
    const { text } = await me.open(`subscriptions/~new/${step}?${order}`)
    expect(text, step).toContain('Charged now: 10.00 USD.')
    expect(text, step).toContain('On 9000-01-01 the subscription is active.')
  }
})
