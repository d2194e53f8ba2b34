import { expect } from 'vitest'
import { itAt } from '../support/dashboard.ts'

const it = itAt('2027-01-01T00:00:00.000Z')

it('keeps the subscription and the times of a what-if for another change', async ({
  sandbox,
  me,
}) => {
  const order = { customer_id: 'cus_ada', plan: 'basic' }
  const { subscription_id: id } = await sandbox.subscriptions.create(order)
  const kept = `subscription_id=${id}&at=2027-02-15&for=P3M`
  const { html } = await me.open(`what-if?asked=true&plan=pro&${kept}`)
  expect(html).toContain(`what-if?ask=coupon&amp;${kept.replaceAll('&', '&amp;')}"`)
  const next = await me.open(`what-if?ask=coupon&${kept}`)
  expect(next.text).not.toContain('The difference in money')
  expect(next.html).toContain(`value="${id}"`)
})
