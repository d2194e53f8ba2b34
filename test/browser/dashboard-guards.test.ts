import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Sandbox, startSandbox } from '../../src/index.ts'
import { start } from '../../src/server/start.ts'
import { hasBrowser, openBrowser, watch } from '../support/browser.ts'

describe('the guards of the dashboard', () => {
  let sandbox: Sandbox

  beforeAll(async () => {
    sandbox = await startSandbox({ now: '2027-01-01T00:00:00.000Z' })
  })

  afterAll(() => sandbox.close())

  const post = (path: string, headers: Record<string, string>) =>
    fetch(`${sandbox.url}/dashboard/default/${path}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
      body: 'move=P1D',
    })

  it.each([
    ['Origin', 'https://elsewhere.example'],
    ['Origin', 'null'],
    ['Sec-Fetch-Site', 'cross-site'],
  ])('refuses a post with %s %s, and changes nothing', async (name, value) => {
    const before = await sandbox.clock.now()
    const answer = await post('clock/advance', { [name]: value })
    expect(answer.status).toBe(400)
    expect(await answer.text()).toContain('another site')
    expect(await sandbox.clock.now()).toBe(before)
  })

  it('changes nothing with a GET', async () => {
    const before = JSON.stringify(await sandbox.exportState())
    for (const path of ['clock/advance?move=P1D', 'clock/preview?move=P1D', 'audit', 'story']) {
      const answer = await fetch(`${sandbox.url}/dashboard/default/${path}`)
      expect(answer.status, path).toBe(200)
    }
    expect(JSON.stringify(await sandbox.exportState())).toBe(before)
  })

  it('answers a HEAD of the live stream, and leaves no stream open', async () => {
    const answer = await fetch(`${sandbox.url}/dashboard/default/live`, { method: 'HEAD' })
    expect(answer.headers.get('content-type')).toBe('text/event-stream')
  })

  it('has pages loaded again for requests that are accepted, so that none loads itself for ever', async () => {
    const own = await sandbox.create({ id: 'live' })
    const follow = async (query: string, headers = {}) => {
      const { body } = await fetch(`${sandbox.url}/dashboard/live/live${query}`, { headers })
      return body?.pipeThrough(new TextDecoderStream()).getReader()
    }
    const [changes, requests] = [await follow(''), await follow('?of=requests')]
    // Not for what a page read itself, and was refused.
    await fetch(`${sandbox.url}/dashboard/live/customers/cus_nobody`)
    await expect(own.customers.get('cus_nobody')).rejects.toThrow('cus_nobody')
    expect((await requests?.read())?.value).toBe('id: 2\ndata: changed\n\n')
    await own.customers.create({ customer_id: 'cus_new' })
    expect((await requests?.read())?.value).toBe('id: 2\ndata: changed\n\n')
    expect((await changes?.read())?.value).toBe('id: 2\ndata: changed\n\n')
    // A page begins after what it shows, and a stream that broke after what it sent.
    const later = await follow('?of=requests&after=1')
    expect((await later?.read())?.value).toBe('id: 2\ndata: changed\n\n')
    const again = await follow('?after=2', { 'Last-Event-ID': '1' })
    expect((await again?.read())?.value).toBe('id: 2\ndata: changed\n\n')
    await own.close()
    expect(await changes?.read()).toEqual({ done: true, value: undefined })
  })

  it('says when one of several sandboxes has a new request, also one that is made later', async () => {
    const { body } = await fetch(`${sandbox.url}/dashboard/default/cockpit/stream`)
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
    const own = await sandbox.create({ id: 'later' })
    await own.customers.create({ customer_id: 'cus_new' })
    let said = ''
    while (!said.includes('data: changed')) said += (await reader?.read())?.value
    await reader?.cancel()
    await own.close()
    const head = await fetch(`${sandbox.url}/dashboard/default/cockpit/stream`, { method: 'HEAD' })
    expect(head.headers.get('content-type')).toBe('text/event-stream')
  })

  it('takes forms only, and says so', async () => {
    const answer = await fetch(`${sandbox.url}/dashboard/default/clock/advance`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"move":"P1D"}',
    })
    expect(answer.status).toBe(415)
    expect(await answer.text()).toContain('must be a form')
  })

  it('shows what a fault does to a call, and keeps the form', async () => {
    const own = await sandbox.create({ id: 'faulty' })
    const { subscription_id: id } = await own.subscriptions.create({
      customer_id: 'cus_ada',
      plan: 'basic',
    })
    for (const effect of [{ status: 503 }, { drop: true }] as const) {
      await own.faults.create({ match: {}, effect, times: 1 })
      const path = `${sandbox.url}/dashboard/faulty/subscriptions/${id}/pause`
      const answer = await fetch(path, { method: 'POST', body: new URLSearchParams() })
      expect(answer.status).toBeGreaterThanOrEqual(500)
      expect(await answer.text()).toContain('role="alert"')
    }
    expect(await own.subscriptions.get(id)).toMatchObject({ status: 'active' })
  })

  it('finds no sandbox by a name that none can have', async () => {
    const answer = await fetch(`${sandbox.url}/dashboard/a%0d%0aX/clock`)
    expect(answer.status).toBe(404)
    expect(await answer.text()).toContain('does not exist')
  })

  it('allows its own stylesheet, script, icon and forms, and nothing else', async () => {
    const answer = await fetch(`${sandbox.url}/dashboard/default/clock`)
    expect(answer.headers.get('content-security-policy')?.split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self'",
      "connect-src 'self'",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ])
    expect(await answer.text()).not.toMatch(/ style=|<style|<script>| on[a-z]+=/)
  })

  it('says which sandbox does not exist, and leads to one that does', async () => {
    const answer = await fetch(`${sandbox.url}/dashboard/nobody/clock`)
    expect(answer.status).toBe(404)
    expect(await answer.text()).toContain('href="/dashboard/default/"')
  })

  it('is where / leads to', async () => {
    const answer = await fetch(sandbox.url)
    expect(new URL(answer.url).pathname).toBe('/dashboard/default/')
  })

  it('leaves no trace in the log of requests, in the story or in the counting of ids', async () => {
    const own = await sandbox.create({ id: 'traceless' })
    const paths = ['clock', 'customers', 'catalog', 'coupons', 'payments', 'tokens', 'webhooks']
    for (const path of [...paths, '', 'invoices', 'settings', 'sandboxes', 'contracts', 'plans']) {
      await fetch(`${sandbox.url}/dashboard/traceless/${path}`)
    }
    expect(await own.requests.list()).toEqual([])
    const body = new URLSearchParams({ move: 'P1D' })
    const path = `${sandbox.url}/dashboard/traceless/clock/advance`
    await fetch(path, { method: 'POST', redirect: 'manual', body })
    const requests = await own.requests.list()
    // The move, and the checkpoint before it.
    expect(requests.map(({ number, request }) => [number, request.path])).toEqual([
      [2, '/sandbox/clock/advance'],
      [1, '/sandbox/checkpoints'],
    ])
    expect(await own.story('curl')).toContain('/sandbox/clock/advance')
  })
})

describe.runIf(hasBrowser)('the guards of the dashboard in a browser', () => {
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

  it('shows what changes between a page and its stream', async () => {
    await using sandbox = await startSandbox({ now: '2027-01-01T00:00:00.000Z' })
    const page = await browser.newPage()
    await page.route('**/live*', async (route) => {
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
        page.waitForResponse((each) => each.url().includes('/live')),
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
