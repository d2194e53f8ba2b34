/** The timeline in a browser: its handle by keys, and its drawing on screens of each width. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Sandbox, startSandbox } from '../../src/index.ts'
import { hasBrowser, openBrowser, violationsOf } from '../support/browser.ts'

describe.runIf(hasBrowser)('the timeline', () => {
  let browser: Browser
  let server: Sandbox
  let page: Page

  beforeAll(async () => {
    browser = await openBrowser()
    server = await startSandbox({ now: '2027-01-01T00:00:00.000Z' })
  })

  beforeEach(async () => {
    page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  })

  afterEach(() => page.close())

  afterAll(async () => {
    await browser?.close()
    await server?.close()
  })

  const open = ({ id }: Sandbox, path = '') => page.goto(`${server.url}/dashboard/${id}/${path}`)

  /** A sandbox with a subscription that pays each month. */
  async function withSubscription(id: string): Promise<Sandbox> {
    const sandbox = await server.create({ id })
    await sandbox.subscriptions.create({ customer_id: 'cus_ada', plan: 'basic' })
    return sandbox
  }

  const handle = () => page.getByRole('slider', { name: 'Virtual now' })

  /** Presses keys of the handle; after each it says where it is and what would happen. */
  async function expectSteps(steps: readonly (readonly [key: string, says: string])[]) {
    await handle().focus()
    for (const [index, [key, text]] of steps.entries()) {
      await page.keyboard.press(key)
      const says = () => handle().getAttribute('aria-valuetext')
      await expect.poll(says, { message: `${key}, key ${index}` }).toBe(text)
    }
  }

  it('moves time by the keys of its handle', async () => {
    const own = await withSubscription('stepped')
    await open(own)
    await expectSteps([
      ['ArrowRight', 'to 2027-01-02: nothing is billed'],
      ['PageUp', 'to 2027-02-02: 1 renewed, 10.00 USD paid'],
      ['e', 'to 2027-03-01: 2 renewed, 20.00 USD paid'],
      ['PageDown', 'to 2027-02-01: 1 renewed, 10.00 USD paid'],
      ['Home', '2027-01-01'],
      ['ArrowLeft', '2026-12-31: There is no checkpoint at or before that instant.'],
      ['Escape', '2027-01-01'],
      ['Control+ArrowRight', 'to 2027-02-01: 1 renewed, 10.00 USD paid'],
    ])
    await page.keyboard.press('Enter')
    await page.getByText('The clock has moved. 2027-01-01 → 2027-02-01').waitFor()
    expect(await own.clock.now()).toBe('2027-02-01T00:00:00.000Z')
    expect(await handle().evaluate((each) => each.matches(':focus'))).toBe(true)
    expect(await violationsOf(page)).toEqual([])
  })

  it('steps back and forth before now, by a day, a month or a checkpoint, and stops at now', async () => {
    const own = await withSubscription('back')
    await own.checkpoint('first')
    await own.clock.to('2027-01-20T12:00:00.000Z')
    await own.checkpoint('second')
    await own.clock.to('2027-03-10T06:00:00.000Z')
    await open(own)
    const [first, second] = ['01-01', '01-20'].map((day) => `back to 2027-${day}`)
    const [toFirst, toSecond] = [
      `${first}, the checkpoint first`,
      `${second} 12:00, the checkpoint second`,
    ]
    await expectSteps([
      ['ArrowLeft', `2027-03-09: ${toSecond}`],
      ['ArrowLeft', `2027-03-08: ${toSecond}`],
      ['ArrowRight', `2027-03-09: ${toSecond}`],
      ['ArrowRight', '2027-03-10'],
      ['PageDown', `2027-02-10: ${toSecond}`],
      ['PageDown', `2027-01-10: ${toFirst}`],
      ['ArrowUp', `2027-01-11: ${toFirst}`],
      ['PageUp', `2027-02-11: ${toSecond}`],
      ['PageUp', '2027-03-10'],
      ['PageDown', `2027-02-10: ${toSecond}`],
      ['PageDown', `2027-01-10: ${toFirst}`],
      ['e', `2027-01-20: ${toSecond}`],
      ['Control+ArrowRight', '2027-03-10'],
      ['PageDown', `2027-02-10: ${toSecond}`],
      ['PageDown', `2027-01-10: ${toFirst}`],
    ])
    await page.keyboard.press('Enter')
    await page.getByText('The sandbox is back at 2027-01-01.').waitFor()
    expect(await own.clock.now()).toBe('2027-01-01T00:00:00.000Z')
  })
})
