/** The timeline in each mode of a browser: what happened and what is to come is found by its name and its amount. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Sandbox, startSandbox } from '../../src/index.ts'
import { hasBrowser, openBrowser, violationsOf } from '../support/browser.ts'
import { playTimelineScenario } from '../support/timeline-scenario.ts'

const [desktop, wide, phone] = [
  { width: 1280, height: 800 },
  { width: 1600, height: 900 },
  { width: 390, height: 844 },
]

const modes: readonly (readonly [name: string, mode: BrowserContextOptions])[] = [
  ['1280 wide, dark', { viewport: desktop, colorScheme: 'dark' }],
  ['1600 wide, light', { viewport: wide, colorScheme: 'light' }],
  ['1600 wide, dark', { viewport: wide, colorScheme: 'dark' }],
  ['390 wide, light', { viewport: phone, colorScheme: 'light' }],
  ['forced colours, light', { viewport: desktop, forcedColors: 'active', colorScheme: 'light' }],
  ['forced colours, dark', { viewport: phone, forcedColors: 'active', colorScheme: 'dark' }],
  ['reduced motion', { viewport: desktop, reducedMotion: 'reduce' }],
  ['without scripts', { viewport: wide, javaScriptEnabled: false }],
  ['390 wide, without scripts', { viewport: phone, javaScriptEnabled: false }],
]

describe.runIf(hasBrowser)('the scenario of the timeline', () => {
  let browser: Browser
  let sandbox: Sandbox
  /** The names of marks, by the subscription of their lane. */
  let marks: readonly (readonly [id: string, name: string])[]

  beforeAll(async () => {
    browser = await openBrowser()
    sandbox = await startSandbox({ now: '2027-01-01T00:00:00.000Z' })
    const { moving, ending, reduced, failing, trial } = await playTimelineScenario(sandbox)
    marks = [
      [moving, '2027-02-01: expected: renews: 10.00 USD'],
      [ending, '2027-02-01: will be canceled 2027-02-01, as scheduled'],
      [reduced, '2027-02-01: expected: renews: 20.00 USD'],
      [reduced, '2027-04-01: expected: renews: 25.00 USD'],
      [failing, '2027-02-01 to 2027-02-08: attempts 1–5: 25.00 fails'],
      [failing, '2027-02-08: will be canceled 2027-02-08, after attempt 5'],
      [trial, '2027-01-15: will expire 2027-01-15, without a payment method'],
    ]
  })

  afterAll(async () => {
    await browser?.close()
    await sandbox?.close()
  })

  /** Opens a year of the timeline in a mode. */
  async function inMode(mode: BrowserContextOptions, work: (page: Page) => Promise<void>) {
    const context = await browser.newContext(mode)
    const page = await context.newPage()
    await page.goto(`${sandbox.url}/dashboard/default/?zoom=year&order=oldest`)
    await work(page)
    await context.close()
  }

  /** What is wrong with a page without scripts: axe needs them, so that in its place only the script of the page is not loaded. */
  async function violationsWithoutScript(viewport: BrowserContextOptions['viewport']) {
    const page = await browser.newPage({ viewport: viewport ?? null })
    await page.route('**/dashboard.js', (route) => route.abort())
    await page.goto(`${sandbox.url}/dashboard/default/?zoom=year&order=oldest`)
    expect(await page.locator('html.scripts').count()).toBe(0)
    const found = await violationsOf(page)
    await page.close()
    return found
  }

  const laneOf = (page: Page, id: string) => page.getByRole('group', { name: `${id}: ` })

  it.each(modes)('is found by names and amounts: %s', async (_, mode) => {
    await inMode(mode, async (page) => {
      for (const [id, name] of marks) {
        const mark = laneOf(page, id).getByRole('link', { name })
        expect(await mark.count(), `${id}, ${name}`).toBe(1)
        expect(await mark.isVisible(), name).toBe(true)
      }
      const coupon = page.getByText('SAVE20 -20 %, ends 2027-04-01').first()
      expect(await coupon.isVisible()).toBe(true)
      const { javaScriptEnabled = true, viewport } = mode
      const violations = javaScriptEnabled ? violationsOf(page) : violationsWithoutScript(viewport)
      expect(await violations).toEqual([])
      const wider = await page.evaluate(`document.documentElement.scrollWidth - innerWidth`)
      expect(wider).toBe(0)
      const [id, name] = marks[1] ?? []
      await laneOf(page, id ?? '')
        .getByRole('link', { name: name ?? '' })
        .click()
      await page.getByRole('heading', { name: `${id}, 2027-02-01` }).waitFor()
    })
  })

  it('has lines between the moments of a mark, also below the last lane', async () => {
    await inMode({ viewport: desktop }, async (page) => {
      await page.locator('.lane').last().getByRole('link').first().click()
      const row = page.locator('.panel tbody tr')
      await row.nth(1).waitFor()
      const line = `getComputedStyle(document.querySelector('.panel tbody td')).borderBottomWidth`
      expect(await page.evaluate(line)).toBe('1px')
    })
  })

  it.for([
    ['along the months', 'selects a stretch of time', { x: 200, y: 0 }],
    ['across the months', 'scrolls the page', { x: 0, y: -200 }],
  ] as const)('by touch, a drag %s %s', async ([, effect, by]) => {
    await inMode({ viewport: phone, hasTouch: true, isMobile: true }, async (page) => {
      const device = await page.context().newCDPSession(page)
      const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: object[]) =>
        device.send('Input.dispatchTouchEvent', { type, touchPoints: touchPoints as [] })
      const before = page.url()
      const { y = 0, height = 0 } = (await page.locator('.strip').boundingBox()) ?? {}
      const start = { x: 80, y: y + height / 2 }
      await touch('touchStart', start)
      for (const share of [0.1, 0.3, 0.6, 1])
        await touch('touchMove', { x: start.x + share * by.x, y: start.y + share * by.y })
      await touch('touchEnd')
      if (effect === 'scrolls the page') {
        await expect.poll(() => page.evaluate<number>('scrollY')).toBeGreaterThan(20)
        return expect(page.url()).toBe(before)
      }
      await page.waitForURL(/from=.*until=/)
      // What is clicked next is followed.
      await page.getByRole('link', { name: 'Week', exact: true }).click()
      await page.waitForURL(/zoom=week/)
    })
  })

  it('is reached by the keyboard alone, and a mark is opened by Enter', async () => {
    await inMode({ viewport: desktop }, async (page) => {
      const focused: string[] = []
      const [trial, last] = marks.at(-1) ?? []
      await page.locator('main').focus()
      while (focused.length < 150 && focused.at(-1) !== last) {
        await page.keyboard.press('Tab')
        const [name, isSeen] = await page.evaluate<[string, boolean]>(`(() => {
          const { activeElement: each } = document
          const drawn = each.querySelector('.target') ?? each
          const { stroke, outlineStyle } = getComputedStyle(drawn)
          return [each.getAttribute('aria-label') ?? '', outlineStyle !== 'none' || !/^(none|rgba.*, 0.)$/.test(stroke)]
        })()`)
        expect(isSeen, name).toBe(true)
        focused.push(name)
      }
      for (const [, name] of marks)
        expect(
          focused.some((each) => each.startsWith(name)),
          name,
        ).toBe(true)
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: `${trial}, 2027-01-15` }).waitFor()
    })
  })
})
