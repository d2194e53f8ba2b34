import { existsSync } from 'node:fs'
import { type Browser, chromium, type Locator, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { controlRoutes } from '../../src/http/control/routes.ts'
import { type Started, start } from '../../src/server/start.ts'
import { v1Operations } from '../../src/surface/v1/operations.ts'

const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
const control = `?urls.primaryName=${encodeURIComponent('The control plane, /sandbox')}`
const isThere = existsSync(executablePath)

if (!isThere) {
  process.stderr.write(`/docs was not opened: there is no ${executablePath}; CHROMIUM names another.
`)
}

/** In pixels, for one operation as it opens; most have 1,500 to 1,900. */
const HEIGHT_MAX = 2500

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
    expect(await answer.innerText()).toContain('sub_000008')
    expect(await create.locator('.curl-command').innerText()).toContain('sk_sandbox_examples')
    // The default sandbox is left alone.
    expect(await (await fetch(`${sandbox.url}/sandbox/subscriptions`)).json()).toHaveProperty(
      'data',
      [],
    )
    expect(await create.locator('.curl-command').innerText()).toContain(sandbox.url)
    expect(outside).toEqual([])
    await page.close()
  })

  it.each([
    ['/v1', '', v1Operations],
    ['the control plane', control, controlRoutes],
  ])(
    'succeeds with every operation of %s as it opens, and has it on few screens',
    async (...args) => {
      const [, query, operations] = args
      const { page, outside } = await open(1280, query)
      const seen: Record<string, number> = {}
      const tall: string[] = []
      for (const { operationId, tag } of operations) {
        const operation = page.locator(`[id="operations-${tag}-${operationId}"]`)
        await press(operation.locator('.opblock-summary-control'))
        await operation.locator('button.execute').waitFor()
        const { height = 0 } = (await operation.boundingBox()) ?? {}
        if (height > HEIGHT_MAX) tall.push(`${operationId}: ${height}`)
        await press(operation.locator('button.execute'))
        const status = operation.locator('.live-responses-table .response-col_status').last()
        await status.waitFor()
        seen[operationId] = Number.parseInt(await status.innerText(), 10)
        await press(operation.locator('.opblock-summary-control'))
      }
      const declared = operations.map(({ operationId, replies }) => [
        operationId,
        Number(Object.keys(replies)[0]),
      ])
      expect(tall).toEqual([])
      expect(seen).toEqual(Object.fromEntries(declared))
      expect(outside).toEqual([])
      await page.close()
    },
    600_000,
  )

  it.each([
    ['/v1', ''],
    ['the control plane', control],
  ])('fits a screen of 360 pixels, with an operation of %s open', async (_, query) => {
    const { page, outside } = await open(360, query)
    await page.locator('.opblock-summary-control').first().click()
    await page.locator('button.execute').first().waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
    expect(outside).toEqual([])
    await page.close()
  })

  /** Clicks without scrolling there and waiting for the page to stand still: there are a hundred operations. */
  async function press(button: Locator): Promise<void> {
    await button.evaluate((element) => (element as unknown as { click(): void }).click())
  }

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
    await page.locator('#examples[data-made="true"]').waitFor()
    return { page, outside }
  }
})
