/** The palette of the dashboard: one field over pages, actions and records. */
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { Sandbox } from '../../src/index.ts'
import { hasBrowser, violationsOf } from '../support/browser.ts'
import { openPageForEach } from '../support/page-for-each.ts'

describe.runIf(hasBrowser)('the palette', () => {
  let sandbox: Sandbox
  let page: Page

  openPageForEach((opened) => {
    ;({ sandbox, page } = opened)
  })

  async function open(id: string): Promise<Sandbox> {
    const own = await sandbox.create({ id })
    await own.subscriptions.create({ customer_id: 'cus_ada', plan: 'basic' })
    await page.goto(`${sandbox.url}/dashboard/${id}/`)
    return own
  }

  it('finds pages, actions and records', async () => {
    const own = await open('searched')
    const act = async (text: string) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Search or act' }).fill(text)
    }
    await act('+1 m')
    expect(await violationsOf(page)).toEqual([])
    await page.keyboard.press('Enter')
    await page.getByText('The clock has moved.').waitFor()
    expect(await own.clock.now()).toBe('2027-02-01T00:00:00.000Z')
    await act('cou')
    const options = page.getByRole('dialog').getByRole('option')
    const searches = ['Customers', 'Subscriptions'].map((name) => `${name} with cou\nSearch`)
    expect(await options.allInnerTexts()).toEqual(['Coupons\nPage', ...searches])
    await act('co')
    const pages = ['Coupons', 'Coverage', 'Contracts'].map((name) => `${name}\nPage`)
    await page.getByRole('option', { name: 'cus_ada Ada Lovelace' }).waitFor()
    expect((await options.allInnerTexts()).slice(0, 3)).toEqual(pages)
    for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key)
    await page.waitForURL('**/searched/contracts')
    const found = [
      ['sub_000001', 'subscriptions/sub_000001'],
      ['inv_000001', 'invoices/inv_000001'],
      ['yearly', 'plans/pro_yearly'],
      ['save2', 'coupons/SAVE20'],
      ['nobody', 'customers?search=nobody'],
    ] as const
    for (const [text, path] of found) {
      await act(text)
      await page.keyboard.press('Enter')
      await page.waitForURL(`**/searched/${path}`)
    }
  })

  it('shows the kind of a record beside a name of any length', async () => {
    const own = await open('long-name')
    await own.customers.create({ customer_id: 'cus_long', name: 'Wolfeschlegelstein'.repeat(10) })
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search or act' }).fill('cus_long')
    const option = page.getByRole('option', { name: 'cus_long Wolfe' })
    const [whole, kind] = [await option.boundingBox(), await option.locator('.hint').boundingBox()]
    const end = (box: typeof kind) => (box?.x ?? Infinity) + (box?.width ?? 0)
    expect(end(kind)).toBeLessThanOrEqual(end(whole))
    expect(kind?.width).toBeGreaterThan(20)
  })

  it('asks the server once somebody has stopped typing, and not for each letter', async () => {
    // On a busy machine, keys that are pressed one after another may be far apart: no time passes between these.
    await page.clock.install({ time: 0 })
    await open('paused')
    await page.clock.pauseAt(60_000)
    const asked: string[] = []
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url())
      if (pathname.endsWith('/find')) asked.push(searchParams.get('text') ?? '')
    })
    await page.keyboard.press('Control+k')
    await page.keyboard.type('lovelace')
    await page.clock.runFor(1000)
    await page.getByRole('option', { name: 'cus_ada Ada Lovelace' }).waitFor()
    expect(asked).toEqual(['lovelace'])
  })

  it('shows no records of an earlier text, and keeps what was chosen meanwhile', async () => {
    await open('typed')
    const late: (() => Promise<void>)[] = []
    await page.route('**/find?text=*', (route) => {
      late.push(() => route.continue())
    })
    await page.keyboard.press('Control+k')
    const field = page.getByRole('combobox', { name: 'Search or act' })
    await field.fill('linus')
    await expect.poll(() => late.length).toBe(1)
    await field.fill('ada')
    await expect.poll(() => late.length).toBe(2)
    await page.keyboard.press('ArrowDown')
    const chosen = page.locator('[role=option][aria-selected=true]')
    const before = await chosen.innerText()
    await late[1]?.()
    await page.getByRole('option', { name: 'cus_ada Ada Lovelace' }).waitFor()
    await late[0]?.().catch(() => undefined)
    // An answer would be there after this one.
    await page.evaluate('fetch(location.href).then((answer) => answer.text())')
    expect(await chosen.innerText()).toBe(before)
    expect(await field.getAttribute('aria-activedescendant')).toBe(await chosen.getAttribute('id'))
    expect(await page.getByRole('option', { name: 'cus_linus' }).count()).toBe(0)
    expect(await violationsOf(page)).toEqual([])
  })

  it('creates by its key in every list of what can be created', async () => {
    await sandbox.create({ id: 'created' })
    const links = {
      '': 'New subscription',
      customers: 'New customer',
      catalog: 'New product',
      products: 'New product',
      plans: 'New plan',
      coupons: 'New coupon',
      promotions: 'New promotion',
      'payments/charges': 'New charge',
    }
    for (const [path, name] of Object.entries(links)) {
      await page.goto(`${sandbox.url}/dashboard/created/${path}`)
      const found = await page.locator('main [aria-keyshortcuts=c]').allInnerTexts()
      expect(found, path).toEqual([name])
      await page.keyboard.press('c')
      await page.waitForURL(/~new$/)
    }
    const fields = {
      sandboxes: 'id',
      faults: 'match.operation',
      webhooks: 'url',
      tokens: 'subject',
      clock: 'name',
    }
    for (const [path, name] of Object.entries(fields)) {
      await page.goto(`${sandbox.url}/dashboard/created/${path}`)
      await page.keyboard.press('c')
      expect(await page.locator(':focus').getAttribute('name'), path).toBe(name)
      expect(await violationsOf(page, { within: 'main' }), path).toEqual([])
    }
  })
})
