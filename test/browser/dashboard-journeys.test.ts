import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Sandbox, startSandbox } from '../../src/index.ts'
import { hasBrowser, openBrowser, placeOf, type Watch, watch } from '../support/browser.ts'

interface Journey {
  readonly sandbox: Sandbox
  readonly page: Page
  /** Opens a page by what follows /dashboard/default/. */
  readonly open: (path?: string) => Promise<void>
  readonly press: (button: string) => Promise<void>
  readonly follow: (link: string) => Promise<void>
  /** What the page says. */
  readonly text: () => Promise<string>
  readonly noted: Watch
}

describe.runIf(hasBrowser)('journeys through the dashboard', () => {
  let browser: Browser

  beforeAll(async () => {
    browser = await openBrowser()
  })

  afterAll(() => browser?.close())

  async function travel(
    journey: (on: Journey) => Promise<void>,
    { scripts = true } = {},
  ): Promise<void> {
    await using sandbox = await startSandbox({ now: '2027-01-01T00:00:00.000Z' })
    const context = await browser.newContext({ javaScriptEnabled: scripts })
    const page = await context.newPage()
    const noted = await watch(page, sandbox.url)
    const main = page.locator('main')
    const open = async (path = '') => {
      await page.goto(`${sandbox.url}/dashboard/default/${path}`)
    }
    const click = async (role: 'button' | 'link', name: string) => {
      await page.getByRole(role, { name, exact: true }).first().click()
      await page.waitForLoadState()
      await page.locator('main:not([aria-busy])').waitFor()
    }
    const press = (name: string) => click('button', name)
    const follow = (name: string) => click('link', name)
    await journey({ sandbox, page, open, press, follow, text: () => main.innerText(), noted })
    expect(noted).toEqual({ outside: [], refused: [], errors: [] })
    await context.close()
  }

  it.each([
    ['with scripts', true],
    ['without scripts', false],
  ])(
    '%s: the documented flow in five steps, a conversion, a change of plan and an end',
    async (_, scripts) => {
      await travel(
        async ({ sandbox, page, open, press, follow, text }) => {
          await open()
          await follow('New subscription')
          await follow('cus_ada')
          await press('Continue')
          await page
            .getByRole('radio', { name: /^Pro\b(?!.*year)/i })
            .first()
            .check()
          await press('Continue')
          await page.getByLabel('Trial, in days').fill('14')
          await page.getByLabel('Coupon', { exact: true }).fill('SAVE20')
          if (scripts) await page.getByLabel('Promotion code').focus()
          else await press('Show')
          // The first invoices, before anything is there: 20 % less than 25.00.
          await expect.poll(text).toMatch(/2027-01-15[\s\S]*20\.00 USD/)
          expect(await sandbox.subscriptions.list()).toEqual([])
          await press('Continue')
          await press('Confirm and activate')
          const [made] = await sandbox.subscriptions.list()
          expect(made).toMatchObject({ customer_id: 'cus_ada', plan: 'pro', status: 'trialing' })
          expect(await text()).toContain('trialing')

          await press('+1 month')
          expect(await text()).toContain('active')
          const [invoice] = await sandbox.invoices.list()
          expect(invoice).toMatchObject({ amount_paid: 2000, status: 'paid' })
        },
        { scripts },
      )
    },
  )

  it('a coupon with a limit: the second customer is told why, and gets none', async () => {
    await travel(async ({ sandbox, page, open, press, text }) => {
      await open('coupons/~new')
      await page.getByLabel('Coupon id').fill('ONLYONE')
      await page
        .getByLabel(/percent/i)
        .first()
        .fill('50')
      await page.getByLabel(/^Duration$/).selectOption('once')
      await page.getByLabel(/redemptions/i).fill('1')
      await press('Create coupon')
      expect(await sandbox.coupons.get('ONLYONE')).toMatchObject({ value: 50, max_redemptions: 1 })
      const order = { plan: 'basic', coupon_id: 'ONLYONE' }
      await sandbox.subscriptions.create({ ...order, customer_id: 'cus_ada' })
      await open('subscriptions/~new/offer?customer_id=cus_linus&product_id=prod_app&plan=basic')
      await page.getByLabel('Coupon', { exact: true }).fill('ONLYONE')
      await press('Continue')
      await expect.poll(text).toMatch(/ONLYONE[\s\S]*(redeem|redemption)/)
      expect(await sandbox.subscriptions.list()).toHaveLength(1)
    })
  })

  it('a checkpoint, a month too far, and back', async () => {
    await travel(async ({ sandbox, page, open, press, follow, text }) => {
      await sandbox.subscriptions.create({ customer_id: 'cus_ada', plan: 'basic' })
      await open('clock')
      await page.getByLabel('Name').fill('before')
      await press('Create checkpoint')
      await press('+1 month')
      expect(await sandbox.invoices.list()).toHaveLength(2)
      await open('clock')
      await follow('Restore…')
      expect(await text()).toContain('Everything that happened')
      await press('Restore')
      expect(await sandbox.invoices.list()).toHaveLength(1)
      expect(await sandbox.clock.now()).toBe('2027-01-01T00:00:00.000Z')
    })
  })

  it('a card that fails, what is tried again and when, and its recovery', async () => {
    await travel(async ({ sandbox, page, open, press, text }) => {
      const order = { customer_id: 'cus_ada', plan: 'basic' }
      const { subscription_id: id } = await sandbox.subscriptions.create(order)
      await open('payments')
      await page.getByLabel('Outcome').selectOption('insufficient_funds')
      await page.getByLabel('Customer').fill('cus_ada')
      await press('Set outcome')
      expect(await text()).toContain('insufficient_funds')
      await press('+1 month')
      await open(`subscriptions/${id}`)
      expect(await text()).toContain('past due')
      expect(await text()).toContain('failed: insufficient_funds, next attempt 2027-02-02')
      await press('Next due')
      expect(await sandbox.subscriptions.get(id)).toMatchObject({ status: 'active' })
      expect(await text()).toContain('active again')
    })
  })

  it('a change of plan whose proration is shown before it is charged', async () => {
    await travel(async ({ sandbox, page, open, press, follow, text }) => {
      const order = { customer_id: 'cus_ada', plan: 'basic' }
      const { subscription_id: id } = await sandbox.subscriptions.create(order)
      await sandbox.clock.advance('P14D')
      await open(`subscriptions/${id}`)
      await follow('Change plan…')
      await page
        .getByRole('radio', { name: /^Pro\b(?!.*year)/i })
        .first()
        .check()
      await expect.poll(text).toMatch(/Unused time on Basic[\s\S]*Remaining time on Pro/)
      const shown = await text()
      expect(await sandbox.invoices.list()).toHaveLength(1)
      await press('Change the plan')
      const [, invoice] = await sandbox.invoices.list()
      expect(shown).toContain(`${((invoice?.amount_due ?? 0) / 100).toFixed(2)} USD`)
    })
  })

  it.each([
    ['with scripts', true],
    ['without scripts', false],
  ])(
    '%s: a coupon of another kind keeps what was typed, and Enter creates it',
    async (_, scripts) => {
      await travel(
        async ({ sandbox, page, open, press }) => {
          await open('coupons/~new')
          await page.getByLabel('Coupon id').fill('TEN')
          await page.getByLabel('Duration').selectOption('forever')
          await press('Fixed amount')
          await page.getByLabel('Amount').fill('10.00')
          await page.getByLabel('Currency').fill('USD')
          await page.getByLabel('Currency').press('Enter')
          await page.waitForURL(/coupons\/TEN/)
          const made = { type: 'fixed', value: 1000, currency: 'USD', duration: 'forever' }
          expect(await sandbox.coupons.get('TEN')).toMatchObject(made)
        },
        { scripts },
      )
    },
  )

  it('a what-if: two futures, the difference in money, and nothing changed', async () => {
    await travel(async ({ sandbox, page, open, press, text }) => {
      const order = { customer_id: 'cus_ada', plan: 'basic' }
      const { subscription_id: id } = await sandbox.subscriptions.create(order)
      const before = JSON.stringify(await sandbox.exportState())
      await open('what-if')
      await page.getByLabel('Subscription').fill(id)
      await page.getByLabel('Plan', { exact: true }).fill('pro')
      await press('Compare')
      expect(await text()).toContain('The two futures')
      // A year of 25.00 in place of 10.00.
      expect(await text()).toContain('195.00 USD')
      expect(JSON.stringify(await sandbox.exportState())).toBe(before)
    })
  })

  it('by keyboard alone: past the menu, to a button, and a month on', async () => {
    await travel(async ({ sandbox, page, open }) => {
      await open('clock')
      await page.keyboard.press('Tab')
      expect(await page.evaluate('document.activeElement.textContent')).toContain('Skip')
      for (let presses = 0; presses < 8; presses += 1) {
        await page.keyboard.press('Tab')
        if (await page.evaluate("document.activeElement.textContent.trim() === '+1 month'")) break
      }
      await page.keyboard.press('Enter')
      await page.getByText('The clock has moved.').waitFor()
      expect(await sandbox.clock.now()).toBe('2027-02-01T00:00:00.000Z')
    })
  })

  it('a form whose button is pressed twice, and a preview that follows what is typed', async () => {
    await travel(async ({ sandbox, page, open, text }) => {
      await open('subscriptions/~new/offer?customer_id=cus_ada&product_id=prod_app&plan=pro')
      await page.getByLabel('Coupon', { exact: true }).pressSequentially('SAVE20')
      await expect.poll(text).toContain('20.00 USD')
      const order = { customer_id: 'cus_ada', plan: 'basic' }
      const { subscription_id: id } = await sandbox.subscriptions.create(order)
      await open(`subscriptions/${id}/apply-coupon`)
      await page.getByLabel('Coupon', { exact: true }).pressSequentially('NOPE')
      await expect.poll(text).toContain('would refuse this: coupon_id "NOPE" does not exist')
      await page.getByLabel('Coupon', { exact: true }).fill('SAVE20')
      await expect.poll(text).toContain('Nothing is charged now')
      expect(await text()).not.toContain('NOPE')
      await sandbox.reset()
      await open('subscriptions/~new/confirm?customer_id=cus_ada&product_id=prod_app&plan=pro')
      await page.evaluate(
        "for (let n = 0; n < 3; n += 1) [...document.querySelectorAll('main button')].at(-1).click()",
      )
      await page.waitForURL(/subscriptions\/sub_/)
      expect(await sandbox.subscriptions.list()).toHaveLength(1)
    })
  })

  it('back to what is shown now, where a box beside the clock was checked before', async () => {
    await travel(async ({ sandbox, page, open }) => {
      await sandbox.subscriptions.create({ customer_id: 'cus_ada', plan: 'basic' })
      await open()
      const box = page.getByLabel('Preview first')
      await box.check()
      await page.getByRole('link', { name: 'Week', exact: true }).click()
      await page.waitForURL(/zoom=week/)
      expect(await box.isChecked()).toBe(true)
      await page.keyboard.press('d')
      await page.getByRole('link', { name: 'Stay here' }).click()
      await page.waitForURL(/default\/\?zoom=week$/)
    })
  })

  it('by touch: now is dragged to a day, and the clock is there', async () => {
    await travel(async ({ sandbox, page, open }) => {
      await sandbox.subscriptions.create({ customer_id: 'cus_ada', plan: 'basic' })
      await open()
      const [from, to] = [await placeOf(page, '2027-01-01'), await placeOf(page, '2027-01-20')]
      const device = await page.context().newCDPSession(page)
      const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: object[]) =>
        device.send('Input.dispatchTouchEvent', { type, touchPoints: touchPoints as [] })
      await touch('touchStart', [from])
      for (const share of [0.3, 0.6, 1]) {
        await touch('touchMove', [{ ...from, x: from.x + share * (to.x - from.x) }])
      }
      await touch('touchEnd', [])
      await page.getByText('The clock has moved. 2027-01-01 → 2027-01-20').waitFor()
      expect(await sandbox.clock.now()).toBe('2027-01-20T00:00:00.000Z')
    })
  })

  it('a running clock goes on in the bar', async () => {
    await travel(async ({ sandbox, page, open }) => {
      await sandbox.clock.set({ mode: 'running' })
      await open()
      const now = page.locator('.clock-bar time')
      const first = await now.innerText()
      await expect.poll(() => now.innerText()).not.toBe(first)
    })
  })
})
