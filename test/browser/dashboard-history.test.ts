import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { Sandbox } from '../../src/index.ts'
import { hasBrowser } from '../support/browser.ts'
import { openPageForEach } from '../support/page-for-each.ts'

describe.runIf(hasBrowser)('going back in the dashboard', () => {
  let sandbox: Sandbox
  let page: Page

  openPageForEach((opened) => {
    ;({ sandbox, page } = opened)
  })

  const step = (name: string, query: string) =>
    page.goto(`${sandbox.url}/dashboard/default/subscriptions/~new/${name}?${query}`)

  it('shows the first invoices of the plan that was chosen', async () => {
    await step('plan', 'customer_id=cus_linus&product_id=prod_app')
    const preview = page.locator('#preview')
    const before = await preview.innerText()
    await page.getByRole('radio', { name: 'Pro 25.00 USD' }).check()
    await expect.poll(() => preview.innerText()).not.toBe(before)
    const shown = await preview.innerText()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.waitForURL('**/offer?**')
    await page.goBack()
    await expect
      .poll(() => page.getByRole('radio', { name: 'Pro 25.00 USD' }).isChecked())
      .toBe(true)
    await expect.poll(() => preview.innerText()).toBe(shown)
  })

  it('keeps the coupon that was typed, with its first invoices', async () => {
    await step('offer', 'customer_id=cus_linus&product_id=prod_app&plan=pro')
    await page.getByLabel('Coupon', { exact: true }).fill('SAVE20')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.waitForURL('**/confirm?**')
    await page.goBack()
    const coupon = () => page.getByLabel('Coupon', { exact: true }).inputValue()
    await expect.poll(coupon).toBe('SAVE20')
    await expect.poll(() => page.locator('#preview').innerText()).toContain('20.00 USD')
  })
})
