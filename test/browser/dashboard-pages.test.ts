import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { dashboard } from '../../src/dashboard/app.tsx'
import { hasBrowser, openBrowser, violationsOf, type Watch, watch } from '../support/browser.ts'
import { openWatchedShop, type WatchedShop } from '../support/watched-shop.ts'

/** What a new subscription has chosen before its last step. */
const choices = 'customer_id=cus_linus&product_id=prod_app&plan=basic'

type PathOf = (shop: WatchedShop) => string

/** Every page, by what follows /dashboard/default/. */
const pages: readonly PathOf[] = [
  () => '',
  () => '?status=active',
  () => '?sort=trouble&group=plan&lanes=compact',
  ({ pastDue }) => `?lane=${pastDue}&at=2027-04-01T00:00:00.000Z&to=2027-04-08T00:00:00.000Z`,
  ({ trialing }) => `subscriptions/${trialing}`,
  ({ active }) => `subscriptions/${active}`,
  ({ pastDue }) => `subscriptions/${pastDue}`,
  ({ paused }) => `subscriptions/${paused}`,
  ({ canceled }) => `subscriptions/${canceled}`,
  ({ active }) => `subscriptions/${active}/update`,
  ({ active }) => `subscriptions/${active}/update?plan=basic`,
  ({ active }) => `subscriptions/${active}/cancel`,
  ({ active }) => `subscriptions/${active}/pause`,
  ({ pastDue }) => `subscriptions/${pastDue}/fail-payment`,
  ({ active }) => `subscriptions/${active}/apply-coupon`,
  ({ active }) => `subscriptions/${active}/apply-coupon?coupon_id=SAVE20`,
  () => 'subscriptions/~new',
  () => 'subscriptions/~new/product?customer_id=cus_linus',
  () => 'subscriptions/~new/plan?customer_id=cus_linus&product_id=prod_app',
  () => `subscriptions/~new/offer?${choices}`,
  () => `subscriptions/~new/confirm?${choices}&trial_period_days=14`,
  () => 'customers',
  () => 'customers/~new',
  () => 'customers/cus_ada',
  () => 'customers/cus_ada/edit',
  () => 'customers/cus_ada/delete',
  () => 'catalog',
  () => 'products/~new',
  () => 'products/prod_app',
  () => 'products/prod_app/edit',
  () => 'products/prod_app/delete',
  () => 'plans',
  () => 'plans/~new',
  () => 'plans/pro',
  () => 'plans/pro/edit',
  () => 'plans/pro/delete',
  () => 'coupons',
  () => 'coupons/~new',
  () => 'coupons/QUARTER',
  () => 'coupons/QUARTER/edit',
  () => 'coupons/QUARTER/delete',
  () => 'promotions',
  () => 'promotions/~new',
  () => 'promotions/SPRING',
  () => 'promotions/SPRING/edit',
  () => 'promotions/SPRING/delete',
  () => 'invoices',
  ({ paidInvoice }) => `invoices/${paidInvoice}`,
  ({ openInvoice }) => `invoices/${openInvoice}`,
  ({ openInvoice }) => `invoices/${openInvoice}/pay`,
  ({ proration }) => `invoices/${proration}`,
  () => 'payments',
  () => 'payments/clear',
  () => 'payments/charges',
  () => 'payments/charges/~new',
  ({ charge }) => `payments/charges/${charge}`,
  () => 'tokens',
  () => 'tokens/issue',
  () => 'tokens/refresh',
  ({ login }) => `tokens/${login}/revoke`,
  () => 'events',
  () => 'live',
  ({ active }) => `live?all=true&lane=${active}&at=2027-03-01T00:00:00.000Z`,
  () => 'requests',
  ({ refusedRequest }) => `requests/${refusedRequest}`,
  ({ unmatchedRequest }) => `requests/${unmatchedRequest}`,
  () => 'requests/req_unknown',
  () => 'coverage',
  () => 'contracts',
  () => 'contracts/shipped?file=reference-form-client-subscription-service.json',
  () => 'audit',
  () => 'what-if',
  ({ active }) => `what-if?asked=1&ask=plan&subscription_id=${active}&plan=basic`,
  () => 'clock',
  () => 'clock/preview?move=P1M',
  () => 'clock?did=not_met&seq=0',
  () => `clock/undo/auto-${'0'.repeat(32)}`,
  () => 'clock/checkpoints/first-day/restore',
  () => 'clock/checkpoints/first-day/delete',
  () => 'recording',
  () => 'settings',
  () => 'faults',
  () => 'faults/clear',
  () => 'webhooks',
  ({ webhook }) => `webhooks/${webhook}/delete`,
  () => 'sandboxes',
  () => 'sandboxes/reset',
  () => 'sandboxes/default/delete',
]

/** What answers a GET, and is no page: a stream, a file, a list in JSON, and what leads to another page. */
const noPages = [
  '/dashboard/-/dashboard.css',
  '/dashboard/-/dashboard.js',
  '/dashboard/-/icon.svg',
  '/dashboard',
  '/dashboard/',
  '/dashboard/:sandbox',
  '/dashboard/:sandbox/changes',
  '/dashboard/:sandbox/find',
  '/dashboard/:sandbox/now',
  '/dashboard/:sandbox/recording/download',
]

type Fields = Readonly<Record<string, string>>

/** Forms that the sandbox refuses: the ways in which a page says so, each once. */
const refused: readonly (readonly [says: string, pathOf: PathOf, fields: Fields])[] = [
  ['beside fields', () => 'coupons/~new', { type: 'percentage', value: 'x', duration: 'once' }],
  ['of a chosen word', () => 'plans/~new', { interval: 'era', amount: '' }],
  ['of what is there already', () => 'customers/~new', { customer_id: 'cus_ada' }],
  ['above what is asked first', () => 'products/prod_app/delete', {}],
  ['above the page of a button', ({ paidInvoice }) => `invoices/${paidInvoice}/pay`, {}],
  ['above a list', () => 'webhooks/redeliver', { delivery_id: 'dlv_999999' }],
  ['of a webhook', () => 'webhooks', { url: 'nowhere', event_types: 'x', secret: 'x' }],
  ['above choices', ({ active }) => `subscriptions/${active}/update`, { plan: 'nothing' }],
  ['in an earlier step', () => 'subscriptions/~new', { customer_id: 'cus_nobody', plan: 'x' }],
  ['in a form beside another', () => 'sandboxes/fork', { fork_id: 'A B' }],
  ['in one of many forms', () => 'settings', { access_token_lifetime: 'soon' }],
  ['without the secret', () => 'tokens/refresh', { refresh_token: 'nonsense' }],
  ['of a file', () => 'contracts/check', {}],
  ['of the clock', () => 'clock/advance', { move: 'to', to: 'soon' }],
  ['of a fault', () => 'faults', { 'effect.status': 'x', 'effect.drop': 'true' }],
]

/** Lists and questions that are refused: their forms are sent as a query. */
const refusedQueries: readonly PathOf[] = [
  () => 'invoices?status=eaten',
  () => 'requests?status=x',
  () => 'what-if?asked=1&ask=plan&subscription_id=sub_999999&plan=',
]

describe('every page of the dashboard', () => {
  it('is opened below', () => {
    const app = dashboard({ answer: () => new Response(), controlToken: null })
    // Where a form is sent and nothing is shown, one is led to its page.
    const routes = app.routes
      .filter(({ method, handler }) => method === 'GET' && handler.name !== 'leadToPage')
      .map(({ path }) => path)
    const names = (at: string) => new RegExp(`^${at.replace(/:\w+/g, '[^/]+')}$`)
    const idOf = { get: (_: object, name: string) => name.toLowerCase() }
    const shop = new Proxy({}, idOf) as WatchedShop
    const opened = pages.map((pathOf) => `/dashboard/default/${pathOf(shop)}`.split('?')[0] ?? '')
    // The first that fits answers, as in the app.
    const reached = opened.map((path) => routes.find((at) => names(at).test(path)))
    const left = routes.filter((at) => !noPages.includes(at) && !reached.includes(at))
    expect(left).toEqual([])
    expect(noPages.filter((at) => !routes.includes(at))).toEqual([])
  })
})

describe.runIf(hasBrowser)('in a browser, the dashboard', () => {
  let browser: Browser
  let page: Page
  let noted: Watch
  let shop: WatchedShop

  beforeAll(async () => {
    shop = await openWatchedShop()
    browser = await openBrowser()
    // One for all tests: making and warming up another costs as much as looking at what it shows.
    page = await browser.newPage()
    noted = await watch(page, shop.sandbox.url)
  })

  beforeEach(() => {
    for (const list of Object.values(noted)) list.length = 0
  })

  afterAll(async () => {
    await browser?.close()
    await shop?.sandbox.close()
  })

  const open = (path: string) => page.goto(`${shop.sandbox.url}/dashboard/default/${path}`)

  /** Light and wide, then dark and narrow. */
  async function expectGoodPage(): Promise<void> {
    expect(await page.locator('h1').count()).toBe(1)
    for (const [colorScheme, width] of [['light', 1280] as const, ['dark', 390] as const]) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 800 })
      expect(await violationsOf(page)).toEqual([])
      const wider = await page.evaluate(`document.documentElement.scrollWidth - ${width}`)
      expect(wider).toBe(0)
    }
    expect(noted).toEqual({ outside: [], refused: [], errors: [] })
  }

  it.each(named(pages))(
    'breaks no rule of WCAG 2.2 AA and fits wide and narrow screens: %s',
    async (_, pathOf) => {
      expect((await open(pathOf(shop)))?.status()).toBe(200)
      await expectGoodPage()
    },
  )

  it('begins with its first lane near the top of the timeline', async () => {
    for (const [width, height, top] of [[1280, 800, 160] as const, [390, 844, 300] as const]) {
      await page.setViewportSize({ width, height })
      await open('')
      const lane = await page.locator('svg.lane').first().boundingBox()
      expect(lane?.y).toBeGreaterThan(60)
      expect(lane?.y).toBeLessThanOrEqual(top)
    }
  })

  it('shows the stretch of a drag over the months, and a month by its link', async () => {
    await page.setViewportSize({ width: 1280, height: 800 })
    await open('?status=active')
    const shown = async () =>
      Object.fromEntries(new URL(page.url()).searchParams) as Record<string, string>
    const strip = page.locator('.strip')
    await strip.getByRole('link', { name: 'Feb 2027: 7.50 USD paid, 2.50 USD discounted' }).click()
    await page.waitForURL(/until/)
    expect(await shown()).toEqual({ status: 'active', from: '2027-02-01', until: '2027-03-01' })
    const { x = 0, y = 0, width = 0 } = (await strip.boundingBox()) ?? {}
    await page.mouse.move(x + width * 0.25, y + 20)
    await page.mouse.down()
    await page.mouse.move(x + width * 0.5, y + 20, { steps: 4 })
    const drawn = page.locator('.strip .shown')
    expect(Number.parseFloat((await drawn.getAttribute('width')) ?? '')).toBeCloseTo(25, 0)
    await page.mouse.up()
    await page.waitForURL(({ searchParams }) => searchParams.get('from') !== '2027-02-01')
    const { from = '', until = '' } = await shown()
    // A quarter of seven months from November on.
    expect([from.slice(0, 7), until.slice(0, 7)]).toEqual(['2026-12', '2027-02'])
    const marked = page.locator('.moves [aria-current]')
    expect(await marked.count()).toBe(0)
  })

  it('has room for the button of a delivery that failed', async () => {
    const { webhooks, subscriptions } = shop.sandbox
    const url = 'http://127.0.0.1:9/webhooks/subscriptions-of-the-shop/development'
    const { webhook_id } = await webhooks.create({
      url,
      event_types: ['subscription.plan_change_scheduled'],
    })
    const order = { customer_id: 'cus_linus', plan: 'pro' }
    const { subscription_id: id } = await subscriptions.create(order)
    await subscriptions.update(id, { plan: 'basic' })
    const reason = async () => (await webhooks.deliveries({ webhook_id }))[0]?.reason
    await expect.poll(reason).toContain('ECONNREFUSED')
    await open('webhooks')
    await page.setViewportSize({ width: 1280, height: 800 })
    const cut = await page.evaluate(
      `[...document.querySelectorAll('.scrolls')].map((each) => each.scrollWidth - each.clientWidth)`,
    )
    expect(cut).toEqual([0, 0])
    await webhooks.delete(webhook_id)
  })

  it.each(refused)('says what was refused as well: %s', async (_, pathOf, fields) => {
    await open('recording')
    const answer = page.waitForResponse((each) => each.request().method() === 'POST')
    const arrival = page.waitForEvent('domcontentloaded')
    await page.evaluate(posting(`/dashboard/default/${pathOf(shop)}`, fields))
    const status = (await answer).status()
    await arrival
    expect([status >= 400, status < 500]).toEqual([true, true])
    expect(await page.locator('[role=alert], .wrong').count()).toBeGreaterThan(0)
    await expectGoodPage()
  })

  it.each(named(refusedQueries))('says what cannot be listed as well: %s', async (_, pathOf) => {
    await open(pathOf(shop))
    expect(await page.locator('[role=alert], .wrong').count()).toBeGreaterThan(0)
    await expectGoodPage()
  })
})

function named(paths: readonly PathOf[]): [name: string, pathOf: PathOf][] {
  return paths.map((pathOf) => [pathOf.toString().replace(/^.*?=> /, ''), pathOf])
}

/** A script that sends a form from within a page, as its own forms do. */
function posting(action: string, fields: Fields): string {
  return `{
    const form = document.createElement('form')
    form.method = 'post'
    form.action = ${JSON.stringify(action)}
    for (const [name, value] of Object.entries(${JSON.stringify(fields)}))
      form.append(Object.assign(document.createElement('input'), { name, value }))
    document.body.append(form)
    form.submit()
  }`
}
