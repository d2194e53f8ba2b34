import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Sandbox, startSandbox } from '../../src/index.ts'
import { hasBrowser, openBrowser } from '../support/browser.ts'

type Act = (sandbox: Sandbox, number: number) => Promise<unknown>

const subscribe: Act = (sandbox) =>
  sandbox.subscriptions.create({ customer_id: 'cus_ada', plan: 'basic' })
const request: Act = ({ url, apiKey }) =>
  fetch(`${url}/v1/subscriptions`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${apiKey}` },
  })

/** The page of a list, the control of its first record, and what makes a record: the newest is shown first. */
const lists: Readonly<
  Record<string, readonly [path: string, control: string | RegExp, make: Act]>
> = {
  faults: [
    'faults',
    'Delete flt_000001',
    ({ faults }) => faults.create({ match: {}, effect: { status: 500 } }),
  ],
  'scripted payments': [
    'payments',
    'Remove the outcomes for cus_1',
    async ({ customers, payments }, number) => {
      await customers.create({ customer_id: `cus_${number}` })
      await payments.fail({ customer_id: `cus_${number}` })
    },
  ],
  'token families': ['tokens', 'Revoke fam_000001…', ({ tokens }) => tokens.issue()],
  lanes: ['', 'sub_000001', subscribe],
  'lanes in groups': ['?group=plan', 'sub_000001', subscribe],
  'marks of lanes': ['', /^2027-01-01/, subscribe],
  customers: [
    'customers',
    'cus_1',
    ({ customers }, n) => customers.create({ customer_id: `cus_${n}` }),
  ],
  products: ['catalog', 'App 1', ({ products }, n) => products.create({ name: `App ${n}` })],
  invoices: ['invoices', 'inv_000001', subscribe],
  requests: ['requests', 'POST /v1/subscriptions', request],
  'requests of several sandboxes': [
    'live?all=true',
    'POST /v1/subscriptions',
    async (sandbox, number) => {
      const other = await sandbox.create({ id: `other-${number}` })
      await request(other, number)
      await request(sandbox, number)
    },
  ],
}

/** What has the focus: what it is called, where it leads, and the lane that it is in. */
const focused = (page: Page) =>
  page.evaluate(`(({ ariaLabel, textContent, href, closest }) => {
    const lane = document.activeElement.closest('svg.lane')?.ariaLabel.slice(0, 10)
    return [ariaLabel ?? textContent, href?.baseVal ?? href, lane].join(' ')
  })(document.activeElement)`)

const countOf = (page: Page) => page.locator('main :is(a, button)').count()

describe.runIf(hasBrowser)('the focus in a page of the dashboard that changes', () => {
  let browser: Browser

  beforeAll(async () => {
    browser = await openBrowser()
  })

  afterAll(() => browser?.close())

  it.for(Object.keys(lists))('stays on its record in a list of %s', async (name) => {
    const [path, control, make] = lists[name] ?? ['', '', subscribe]
    await using sandbox = await startSandbox({ now: '2027-01-01T00:00:00.000Z' })
    await make(sandbox, 1)
    const page = await browser.newPage()
    await page.goto(`${sandbox.url}/dashboard/default/${path}`)
    const named = { name: control, exact: true }
    const main = page.locator('main')
    await main.getByRole('link', named).or(main.getByRole('button', named)).first().focus()
    const [before, count] = [await focused(page), await countOf(page)]
    expect(before).toMatch(control)
    await make(sandbox, 2)
    await expect.poll(() => countOf(page)).toBeGreaterThan(count)
    expect(await focused(page)).toBe(before)
    await page.close()
  })

  it('is on no other record when its record is gone, so that Enter does nothing', async () => {
    await using sandbox = await startSandbox({ now: '2027-01-01T00:00:00.000Z' })
    for (const status of [500, 502, 503])
      await sandbox.faults.create({ match: {}, effect: { status } })
    const page = await browser.newPage()
    await page.goto(`${sandbox.url}/dashboard/default/faults`)
    const buttons = page.getByRole('button', { name: /^Delete flt_/ })
    await page.getByLabel('Delete flt_000002').focus()
    await sandbox.faults.delete('flt_000002')
    await expect.poll(() => buttons.count()).toBe(2)
    const list = page
      .getByRole('region', { name: 'Faults, newest first' })
      .and(page.locator(':focus'))
    expect(await list.count()).toBe(1)
    // By its own button, too.
    await page.getByLabel('Delete flt_000003').focus()
    await page.keyboard.press('Enter')
    await page.getByText('Deleted.').waitFor()
    expect(await list.count()).toBe(1)
    await page.keyboard.press('Enter')
    expect(await sandbox.faults.list()).toMatchObject([{ fault_id: 'flt_000001' }])
    await page.close()
  })
})
