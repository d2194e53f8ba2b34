import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startSandbox } from '../../src/index.ts'
import { start } from '../../src/server/start.ts'
import { hasBrowser, openBrowser, violationsOf, watch } from '../support/browser.ts'

describe.runIf(hasBrowser)('pages of the dashboard that follow what happens', () => {
  let browser: Browser

  beforeAll(async () => {
    browser = await openBrowser()
  })

  afterAll(() => browser?.close())

  it('shows HTML in names and ids as text', async () => {
    await using sandbox = await startSandbox({ now: '2027-01-01T00:00:00.000Z' })
    const name = `<img src=x onerror="document.title='taken'"><script>document.title='taken'</script>`
    await sandbox.customers.create({ customer_id: 'cus_html', name })
    await sandbox.subscriptions.create({ customer_id: 'cus_html', plan: 'basic' })
    const page = await browser.newPage()
    const noted = await watch(page, sandbox.url)
    for (const path of ['', 'customers', 'customers/cus_html', 'events', 'requests', 'invoices']) {
      await page.goto(`${sandbox.url}/dashboard/default/${path}`)
      expect(await page.title()).not.toBe('taken')
      expect(await page.locator('main img, main script').count()).toBe(0)
    }
    await page.goto(`${sandbox.url}/dashboard/default/customers/cus_html`)
    expect(await page.locator('main').innerText()).toContain(name)
    expect(noted).toEqual({ outside: [], refused: [], errors: [] })
  })

  it('asks for the control token as a password, and opens with it', async () => {
    const memory = { host: '127.0.0.1', allowedHosts: [], port: 0, folder: null } as const
    const plain = { durability: 'commit', lock: 'kernel', fixture: null } as const
    const clock = { clockStart: null, running: false, log: () => undefined }
    const server = await start({ ...memory, ...plain, ...clock, controlToken: 'secret' })
    const open = async (httpCredentials: { username: string; password: string }) => {
      const context = await browser.newContext({ httpCredentials })
      const page = await context.newPage()
      const answer = await page.goto(`${server.url}/dashboard/default/clock`)
      return { page, status: answer?.status() }
    }
    const asked = await fetch(`${server.url}/dashboard/default/clock`)
    expect(asked.status).toBe(401)
    expect(asked.headers.get('www-authenticate')).toContain('Basic')
    expect((await open({ username: '', password: 'wrong' })).status).toBe(401)
    const { page, status } = await open({ username: '', password: 'secret' })
    expect(status).toBe(200)
    await page.getByRole('button', { name: '+1 day' }).click()
    await page.getByText('The clock has moved.').waitFor()
    expect(await page.content()).not.toContain('secret')
    await server.close()
  })

  it('shows what happens as it happens, but leaves a form that somebody types in', async () => {
    await using sandbox = await startSandbox({ now: '2027-01-01T00:00:00.000Z' })
    const page = await browser.newPage()
    await page.goto(`${sandbox.url}/dashboard/default/clock`)
    const now = page.locator('.clock-bar time')
    await expect.poll(() => now.innerText()).toBe('2027-01-01')
    await sandbox.subscriptions.create({ customer_id: 'cus_ada', plan: 'basic' })
    await sandbox.clock.advance('P2M')
    await expect.poll(() => now.innerText()).toBe('2027-03-01')
    await page.getByLabel('Name').fill('mine')
    await sandbox.clock.advance('P1M')
    // The clock goes on, and what is typed stays.
    await expect.poll(() => now.innerText()).toBe('2027-04-01')
    expect(await page.getByLabel('Name').inputValue()).toBe('mine')
    expect(await page.locator('main time').first().innerText()).toBe('2027-03-01')
    await sandbox.clock.advance('P1M')
    await page.getByRole('button', { name: '2 changes, show' }).click()
    await expect.poll(() => page.locator('main time').first().innerText()).toBe('2027-05-01')
    expect(await page.getByLabel('Name').inputValue()).toBe('mine')
    expect(await page.getByRole('button', { name: /changes?, show/ }).count()).toBe(0)
  })

  it.for([1280, 390])(
    'covers nothing with the number of changes, %s pixels wide',
    async (width) => {
      await using sandbox = await startSandbox({ now: '2027-01-01T00:00:00.000Z' })
      const subscribe = () =>
        sandbox.subscriptions.create({ customer_id: 'cus_ada', plan: 'basic' })
      const page = await browser.newPage({ viewport: { width, height: 800 } })
      for (const path of ['', 'faults', 'webhooks', 'payments', 'clock', 'customers']) {
        await subscribe()
        await page.goto(`${sandbox.url}/dashboard/default/${path}`)
        // Somebody is at work.
        await page
          .locator('main input[type=text]')
          .first()
          .evaluate((field) => {
            field.dispatchEvent(new Event('input', { bubbles: true }))
          })
        await subscribe()
        await page.getByRole('button', { name: '1 change, show' }).waitFor()
        const covered = await page.evaluate(`(() => {
        const over = document.querySelector('#missed button').getBoundingClientRect()
        const isBelow = (each) => [...each.getClientRects()].some(({ left, right, top, bottom }) =>
          left < over.right && right > over.left && top < over.bottom && bottom > over.top)
        const controls = document.querySelectorAll('a, button, input, select, summary, #now')
        return [...controls].filter(isBelow).map(({ outerHTML }) => outerHTML)
      })()`)
        expect(covered, path).toEqual([expect.stringContaining('1 change, show')])
        expect(await violationsOf(page, { within: '.top' }), path).toEqual([])
      }
      await page.close()
    },
  )

  it('counts no changes any more where a refused form is shown, which nothing replaces', async () => {
    await using sandbox = await startSandbox({ now: '2027-01-01T00:00:00.000Z' })
    const page = await browser.newPage()
    await page.goto(`${sandbox.url}/dashboard/default/payments`)
    await page.getByLabel('Customer', { exact: true }).fill('cus_none')
    await sandbox.customers.create({ customer_id: 'cus_new' })
    const changes = page.getByRole('button', { name: '1 change, show' })
    await changes.waitFor()
    await page.getByRole('button', { name: 'Set outcome' }).click()
    await page.getByText('"cus_none" does not exist').waitFor()
    await expect.poll(() => changes.count()).toBe(0)
    await page.close()
  })

  it('shows what changes between a page and its stream', async () => {
    await using sandbox = await startSandbox({ now: '2027-01-01T00:00:00.000Z' })
    const page = await browser.newPage()
    await page.route('**/changes*', async (route) => {
      await sandbox.customers.create({ customer_id: 'cus_between' })
      await route.continue()
    })
    await page.goto(`${sandbox.url}/dashboard/default/customers`)
    await page.getByRole('link', { name: 'cus_between' }).waitFor()
    await page.close()
  })

  it('shows every record as it is made, changed and deleted', async () => {
    await using sandbox = await startSandbox({ now: '2027-01-01T00:00:00.000Z' })
    const { customers, coupons, promotions, products, plans, payments, webhooks } = sandbox
    const coupon = { type: 'percentage', value: 5, duration: 'once' } as const
    const plan = { product_id: 'prod_app', amount: 1, currency: 'USD', interval: 'month' } as const
    const changes: [path: string, shown: string, change: () => Promise<unknown>][] = [
      ['customers', 'cus_new', () => customers.create({ customer_id: 'cus_new' })],
      ['customers/cus_new', 'Nora', () => customers.update('cus_new', { name: 'Nora' })],
      ['coupons', 'NEW', () => coupons.create({ coupon_id: 'NEW', ...coupon })],
      ['promotions', 'CODE', () => promotions.create({ code: 'CODE', coupon_id: 'NEW' })],
      ['catalog', 'Book', () => products.create({ product_id: 'prod_book', name: 'Book' })],
      ['plans', 'Daily', () => plans.create({ plan_id: 'daily', name: 'Daily', ...plan })],
      ['payments', 'card_declined × 2', () => payments.fail({ times: 2 })],
      ['webhooks', '127.0.0.1:9', () => webhooks.create({ url: 'http://127.0.0.1:9/' })],
      ['clock', 'first-day', () => sandbox.checkpoint('first-day')],
      ['payments', 'Nothing is scripted', () => sandbox.reset()],
    ]
    const page = await browser.newPage()
    const text = () => page.locator('main').innerText()
    for (const [path, shown, change] of changes) {
      await Promise.all([
        page.waitForResponse((each) => each.url().includes('/changes')),
        page.goto(`${sandbox.url}/dashboard/default/${path}`),
      ])
      expect(await text(), path).not.toContain(shown)
      await change()
      await expect.poll(text, { message: path }).toContain(shown)
    }
    await page.close()
  })

  it.for([true, false])(
    'creates one subscription for those who go back and confirm again, with scripts: %s',
    async (javaScriptEnabled) => {
      await using sandbox = await startSandbox({ now: '2027-01-01T00:00:00.000Z' })
      const context = await browser.newContext({ javaScriptEnabled })
      const page = await context.newPage()
      await page.goto(`${sandbox.url}/dashboard/default/subscriptions/~new`)
      await page.getByRole('link', { name: 'cus_ada' }).click()
      for (let step = 0; step < 3; step += 1) {
        await page.getByRole('button', { name: 'Continue' }).click()
      }
      await page.getByRole('button', { name: 'Confirm' }).click()
      await page.getByText('Created.').waitFor()
      await page.goBack()
      await page.getByRole('button', { name: 'Confirm' }).click()
      await page.getByText('This form was sent before.').waitFor()
      expect(await sandbox.subscriptions.list()).toHaveLength(1)
      await context.close()
    },
  )

  it('shows the requests of several sandboxes, also of one that is made later', async () => {
    await using sandbox = await startSandbox({ now: '2027-01-01T00:00:00.000Z' })
    const page = await browser.newPage()
    await page.goto(`${sandbox.url}/dashboard/default/live?all=true`)
    const later = await sandbox.create({ id: 'later' })
    await later.subscriptions.create({ customer_id: 'cus_ada', plan: 'basic' })
    const headers = { Authorization: `Bearer ${later.apiKey}` }
    for (const path of ['/v1/subscriptions/sub_000001', '/v1/subscriptions/sub_000002']) {
      await fetch(`${sandbox.url}${path}`, { headers })
      await page.getByRole('link', { name: `GET ${path}` }).waitFor()
    }
    expect(await page.locator('main').innerText()).toContain('Events of later')
    await page.close()
  })

  it('says that its sandbox was deleted, and follows a new one of the same name', async () => {
    await using sandbox = await startSandbox({ now: '2027-01-01T00:00:00.000Z' })
    const first = await sandbox.create({ id: 'sb' })
    for (let nth = 0; nth < 3; nth += 1) await first.customers.create({})
    const page = await browser.newPage()
    const opened = page.waitForResponse((each) => each.url().includes('/changes'))
    await page.goto(`${sandbox.url}/dashboard/sb/customers`)
    await opened
    await first.close()
    await page.getByText('This sandbox was deleted.').waitFor()
    const second = await sandbox.create({ id: 'sb' })
    await second.customers.create({ customer_id: 'cus_second' })
    await page.getByRole('link', { name: 'cus_second' }).waitFor()
    expect(await page.getByText('This sandbox was deleted.').count()).toBe(0)
    await page.close()
  })

  it('shows a record again that a reset removed and somebody made again', async () => {
    await using sandbox = await startSandbox({ now: '2027-01-01T00:00:00.000Z' })
    const customer = { customer_id: 'cus_new', name: 'Nora' }
    await sandbox.customers.create(customer)
    const page = await browser.newPage()
    const opened = page.waitForResponse((each) => each.url().includes('/changes'))
    await page.goto(`${sandbox.url}/dashboard/default/customers/cus_new`)
    await opened
    await sandbox.reset()
    const followed = page.waitForResponse((each) => each.url().includes('/changes'))
    await page.getByRole('button', { name: '1 change, show' }).click()
    await page.getByRole('heading', { name: 'Not found' }).waitFor()
    await followed
    await sandbox.customers.create(customer)
    await page.getByRole('heading', { name: 'Nora' }).waitFor()
    await expect.poll(() => page.title()).toContain('Nora')
    await page.close()
  })

  it('lists the sandboxes where they are switched, and leads to one', async () => {
    await using sandbox = await startSandbox({ now: '2027-01-01T00:00:00.000Z' })
    await sandbox.create({ id: 'other' })
    const page = await browser.newPage()
    await page.goto(`${sandbox.url}/dashboard/default/clock`)
    await page.locator('.switcher summary').click()
    await page.locator('.switcher').getByRole('link', { name: 'other', exact: true }).click()
    await page.waitForURL(/\/dashboard\/other\//)
    expect(await page.locator('.switcher summary').innerText()).toContain('other')
    await page.close()
  })
})
