import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { controlRoutes } from '../../src/http/control/routes.ts'
import controlAnswers from '../../src/openapi/examples/control-answers.json' with { type: 'json' }
import v1Answers from '../../src/openapi/examples/v1-answers.json' with { type: 'json' }
import { v1Operations } from '../../src/operations/v1.ts'
import type { Started } from '../../src/server/start.ts'
import { start } from '../../src/server/start.ts'
import type { Declaration } from '../../src/surface/operation.ts'
import { hasBrowser, openBrowser, violationsOf } from '../support/browser.ts'
import { chanceOf, seeded } from '../support/chance.ts'

const control = `?urls.primaryName=${encodeURIComponent('The control plane, /sandbox')}`
/** Of the operations of a document, how many are tried; `DOCS=all` for a long run of all, `SEED` repeats a choice. */
const TRIED = process.env['DOCS'] === 'all' ? Number.POSITIVE_INFINITY : 8

const answers: Readonly<Record<string, Readonly<Record<string, { readonly status: number }>>>> = {
  ...controlAnswers,
  ...v1Answers,
}

/** The status of the first example of an operation, with which it opens. */
const statusShown = (operationId: string) => Object.values(answers[operationId] ?? {})[0]?.status

/** In pixels, for one operation as it opens; most have 1,500 to 1,900, whatever the fonts of the machine. */
const HEIGHT_MAX = 2600

describe.runIf(hasBrowser)('/docs in a browser', () => {
  let browser: Browser
  let sandbox: Started

  beforeAll(async () => {
    sandbox = await start()
    browser = await openBrowser()
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
    expect(await answer.innerText()).toContain('sub_000009')
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
  ] as [string, string, readonly Declaration[]][])(
    'succeeds with operations of %s as they open, and has each on few screens',
    (_, query, operations) => seeded((seed) => tryOut(query, chosen(operations, seed))),
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

  it.each([
    ['/v1', '', 'Subscriptions-updateSubscription'],
    ['the control plane', control, 'Clock-advanceClock'],
    ['the control plane', control, 'Events-listEvents'],
  ])('names every control of %s, and is readable in the dark', async (_, query, operation) => {
    const { page } = await open(1280, query, 'dark')
    const opened = page.locator(`[id="operations-${operation}"]`)
    await opened.locator('.opblock-summary-control').click()
    await opened.locator('button.execute').waitFor()
    await opened
      .locator('textarea, .examples-select__section-label')
      .first()
      .waitFor({ state: 'attached' })
    expect(await opened.locator('select, textarea').count()).toBeGreaterThan(1)
    expect(await violationsOf(page, { rules: ['label', 'select-name'] })).toEqual([])
    const labels = { rules: ['color-contrast'], within: '[class*="section-label"]' }
    const extensions = { rules: ['color-contrast'], within: '[class*="__extension"]' }
    for (const part of [labels, extensions]) expect(await violationsOf(page, part)).toEqual([])
    await page.close()
  })

  it('has a readable page of errors, in the light and in the dark', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await browser.newPage({ colorScheme })
      await page.goto(`${sandbox.url}/docs/errors`)
      expect(await violationsOf(page)).toEqual([])
      await page.close()
    }
  })

  /** Executes operations as they open, one after another: what one of them does stops none of the others. */
  async function tryOut(query: string, operations: readonly Declaration[]): Promise<void> {
    const { page, outside } = await open(1280, query)
    const seen: Record<string, number> = {}
    const tall: string[] = []
    for (const { operationId, tag } of operations) {
      const operation = page.locator(`[id="operations-${tag}-${operationId}"]`)
      await press(operation.locator('.opblock-summary-control'))
      await operation.locator('button.execute').waitFor()
      const { height = 0 } = (await operation.boundingBox()) ?? {}
      if (height > HEIGHT_MAX) tall.push(`${operationId}: ${height}`)
      const status = operation.locator('.live-responses-table .response-col_status').last()
      await press(operation.locator('button.execute'))
      await status.waitFor()
      seen[operationId] = Number.parseInt(await status.innerText(), 10)
      await press(operation.locator('.opblock-summary-control'))
    }
    const shown = operations.map(({ operationId }) => [operationId, statusShown(operationId)])
    expect(tall).toEqual([])
    expect(seen).toEqual(Object.fromEntries(shown))
    expect(outside).toEqual([])
    await page.close()
  }

  /** Clicks without scrolling there and waiting for the page to stand still: there are a hundred operations. */
  async function press(button: Locator): Promise<void> {
    await button.evaluate((element) => (element as unknown as { click(): void }).click())
  }

  async function open(
    width: number,
    query = '',
    colorScheme: 'light' | 'dark' = 'light',
  ): Promise<{ page: Page; outside: string[] }> {
    const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme })
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

/** So many of a list as are tried, each as likely as any other, in its order. */
function chosen<Value>(list: readonly Value[], seed: number): readonly Value[] {
  const chance = chanceOf(seed)
  let wanted = Math.min(TRIED, list.length)
  return list.filter((_, index) => {
    const isChosen = chance() * (list.length - index) < wanted
    if (isChosen) wanted -= 1
    return isChosen
  })
}
