import { existsSync } from 'node:fs'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Started, start } from '../../src/server/start.ts'

const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
const isThere = existsSync(executablePath)

if (!isThere) {
  process.stderr.write(`/docs was not opened: there is no ${executablePath}; CHROMIUM names another.
`)
}

describe.runIf(isThere)('/docs in a browser', () => {
  let browser: Browser
  let sandbox: Started

  beforeAll(async () => {
    sandbox = await start({
      host: '127.0.0.1',
      allowedHosts: [],
      port: 0,
      folder: null,
      durability: 'commit',
      lock: 'kernel',
      fixture: null,
      clockStart: null,
      running: false,
      log: () => {},
    })
    // Without its own sandbox, which root has no use of: only pages of this test are opened.
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  })

  afterAll(async () => {
    await browser?.close()
    await sandbox?.close()
  })

  it('has the key filled in, so that the first create succeeds as it opens', async () => {
    const { page, outside } = await open(1280)
    const create = page.locator('#operations-Subscriptions-createSubscription')
    await create.locator('.opblock-summary-control').click()
    await create.locator('button.execute').click()
    const answer = create.locator('.live-responses-table tbody')
    await answer.waitFor()
    expect(await answer.locator('.response-col_status').innerText()).toContain('200')
    expect(await answer.innerText()).toContain('sub_000001')
    expect(await create.locator('.curl-command').innerText()).toContain(sandbox.url)
    expect(outside).toEqual([])
    await page.close()
  })

  it.each([
    ['/v1', ''],
    ['the control plane', `?urls.primaryName=${encodeURIComponent('The control plane, /sandbox')}`],
  ])('fits a screen of 360 pixels, with an operation of %s open', async (_, query) => {
    const { page, outside } = await open(360, query)
    await page.locator('.opblock-summary-control').first().click()
    await page.locator('button.execute').first().waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
    expect(outside).toEqual([])
    await page.close()
  })

  async function open(width: number, query = ''): Promise<{ page: Page; outside: string[] }> {
    const page = await browser.newPage({ viewport: { width, height: 800 } })
    const outside: string[] = []
    page.on('request', (request) => {
      if (!request.url().startsWith(`${sandbox.url}/`) && !request.url().startsWith('data:')) {
        outside.push(request.url())
      }
    })
    await page.goto(`${sandbox.url}/docs/${query}`)
    await page.locator('.opblock').first().waitFor()
    return { page, outside }
  }
})
