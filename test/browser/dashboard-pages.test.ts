import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, openBrowser, violationsOf, watch } from '../support/browser.ts'
import { openWatchedShop, type WatchedShop } from '../support/watched-shop.ts'

/** Every page, by what follows /dashboard/default/. */
const pages: readonly ((shop: WatchedShop) => string)[] = [
  () => '',
  () => '?status=active',
  ({ trialing }) => `subscriptions/${trialing}`,
  ({ active }) => `subscriptions/${active}`,
  ({ pastDue }) => `subscriptions/${pastDue}`,
  ({ paused }) => `subscriptions/${paused}`,
  ({ canceled }) => `subscriptions/${canceled}`,
  ({ active }) => `subscriptions/${active}/update?plan=basic`,
  ({ active }) => `subscriptions/${active}/cancel`,
  () => 'subscriptions/new',
  () => 'customers',
  () => 'customers/new',
  () => 'customers/cus_ada',
  () => 'customers/cus_ada/edit',
  () => 'customers/cus_ada/delete',
  () => 'catalog',
  () => 'products/new',
  () => 'products/prod_app',
  () => 'plans/new',
  () => 'plans/pro',
  () => 'coupons',
  () => 'coupons/new',
  () => 'coupons/QUARTER',
  () => 'promotions/new',
  () => 'invoices',
  ({ paidInvoice }) => `invoices/${paidInvoice}`,
  ({ openInvoice }) => `invoices/${openInvoice}`,
  ({ proration }) => `invoices/${proration}`,
  () => 'payments',
  () => 'tokens',
  () => 'events',
  () => 'requests',
  () => 'coverage',
  () => 'contracts',
  () => 'audit',
  () => 'what-if',
  () => 'clock',
  () => 'clock/preview?move=P1M',
  () => 'clock/checkpoints/first-day/restore',
  () => 'story',
  () => 'settings',
  () => 'faults',
  () => 'webhooks',
  () => 'sandboxes',
]

describe.runIf(hasBrowser)('every page of the dashboard', () => {
  let browser: Browser
  let context: BrowserContext
  let shop: WatchedShop

  beforeAll(async () => {
    shop = await openWatchedShop()
    browser = await openBrowser()
    context = await browser.newContext()
  })

  afterAll(async () => {
    await browser?.close()
    await shop?.sandbox.close()
  })

  it.each(pages.map((path) => [path.toString().replace(/^.*?=> /, ''), path] as const))(
    'breaks no rule of WCAG 2.2 AA and fits wide and narrow screens: %s',
    async (_, pathOf) => {
      const page = await context.newPage()
      const noted = await watch(page, shop.sandbox.url)
      const answer = await page.goto(`${shop.sandbox.url}/dashboard/default/${pathOf(shop)}`)
      expect(answer?.status()).toBe(200)
      expect(await page.locator('h1').count()).toBe(1)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        expect(await violationsOf(page)).toEqual([])
      }
      expect(await overflowAt(page, 1280)).toBe(0)
      expect(await overflowAt(page, 390)).toBe(0)
      expect(await violationsOf(page)).toEqual([])
      expect(noted).toEqual({ outside: [], refused: [], errors: [] })
      await page.close()
    },
  )
})

/** By how many pixels the page is wider than a screen. */
async function overflowAt(page: Page, width: number): Promise<unknown> {
  await page.setViewportSize({ width, height: 800 })
  return page.evaluate(`document.documentElement.scrollWidth - ${width}`)
}
