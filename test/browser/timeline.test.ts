/** The timeline in a browser: its handle by keys, and its drawing on screens of each width. */
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { Sandbox } from '../../src/index.ts'
import { hasBrowser, violationsOf } from '../support/browser.ts'
import { openPageForEach } from '../support/page-for-each.ts'

describe.runIf(hasBrowser)('the timeline', () => {
  let server: Sandbox
  let page: Page

  openPageForEach((opened) => {
    ;({ sandbox: server, page } = opened)
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

  it('says again what a move would do where something changes before it is made', async () => {
    const own = await withSubscription('meanwhile')
    await open(own)
    await expectSteps([['e', 'to 2027-02-01: 1 renewed, 10.00 USD paid']])
    await own.subscriptions.create({ customer_id: 'cus_ada', plan: 'pro' })
    const says = () => handle().getAttribute('aria-valuetext')
    await expect.poll(says).toBe('to 2027-02-01: 2 renewed, 35.00 USD paid')
  })

  it('says beside its handle why the clock cannot go to a place', async () => {
    const own = await server.create({ id: 'last', now: '8999-12-20T00:00:00.000Z' })
    await own.subscriptions.create({ customer_id: 'cus_ada', plan: 'basic' })
    await open(own)
    const end = '9000-01-01T00:00:00.000Z'
    const message = `to must not go past ${end}, the end of the clock; got 9000-01-20T00:00:00.000Z.`
    await expectSteps([['PageUp', message]])
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

  /** The texts of a lane that others cover in part. */
  const covered = () =>
    page.evaluate<
      string[]
    >(`[...document.querySelectorAll('svg.lane, svg.strip')].flatMap((lane) => {
      const texts = [...lane.querySelectorAll('text:not(.count)')].map((each) => [each, each.getBoundingClientRect()])
      return texts.flatMap(([text, box], index) => texts.slice(index + 1).flatMap(([other, beside]) =>
        box.left < beside.right && beside.left < box.right && box.top + 4 < beside.bottom && beside.top + 4 < box.bottom
          ? [text.textContent + ' and ' + other.textContent]
          : [],
      ))
    })`)

  /** What of the drawing is cut: texts, marks and the handle of now that are not within their lane or axis. */
  const cut = () =>
    page.evaluate<string[]>(`[...document.querySelectorAll('.lanes .time :is(text, circle, .pill)')]
      .filter((each) => {
        const [box, room] = [each, each.closest('.time')].map((part) => part.getBoundingClientRect())
        return box.left < room.left || box.right > room.right
      })
      .map((each) => each.textContent || each.getAttribute('class'))`)

  it('cuts and covers nothing at the edges of its window, on screens of each width', async () => {
    const own = await server.create({ id: 'edges' })
    const terms = { product_id: 'prod_app', currency: 'USD', interval: 'month' } as const
    await own.plans.create({ plan_id: 'large', name: 'Large', amount: 125_000, ...terms })
    const order = { customer_id: 'cus_ada', plan: 'large' }
    const { subscription_id: id } = await own.subscriptions.create(order)
    await own.subscriptions.create({ ...order, coupon_id: 'SAVE20' })
    const { subscription_id: failing } = await own.subscriptions.create(order)
    await own.payments.script({ subscription_id: failing, always: 'card_declined' })
    await own.subscriptions.create({ ...order, plan: 'basic', trial_period_days: 14 })
    await own.clock.advance('P3D')
    const change = `asked=true&ask=plan&subscription_id=${id}&plan=basic&at=2027-11-20`
    const days = [
      '2027-01-04',
      '2027-02-01',
      '2026-01-05',
      '2026-02-01',
      '2026-02-08',
      '2026-01-25',
    ]
    const paths = [
      '?zoom=year',
      ...days.map((day) => `?zoom=year&from=${day}`),
      `what-if?${change}`,
    ]
    const found: string[] = []
    for (const path of paths) {
      await open(own, path)
      for (const width of [390, 1280, 1600]) {
        await page.setViewportSize({ width, height: 800 })
        const wrong = [...(await cut()), ...(await covered())]
        found.push(...wrong.map((what) => `${path} at ${width}: ${what}`))
      }
    }
    expect(found).toEqual([])
    // The amount at the very edge is there, and is not left out.
    await open(own, '?zoom=year&from=2027-02-01&order=oldest')
    const first = page.locator('svg.lane').first().getByRole('link').first()
    expect(await first.locator('text').textContent()).toBe('1,250.00')
  })

  it('shows the whole heads of compact lanes on a phone, and the first lane high on it', async () => {
    const own = await server.create({ id: 'checkout-tests', now: '2027-01-01T12:30:00Z' })
    await own.subscriptions.create({ customer_id: 'cus_ada', plan: 'pro' })
    await own.subscriptions.update('sub_000001', { plan: 'basic' })
    const name = 'Constance Featherstonehaugh of the Society of Bookbinders'
    await own.customers.create({ customer_id: 'cus_long', name })
    await own.subscriptions.create({ customer_id: 'cus_long', plan: 'basic' })
    for (const [width, height, top] of [[390, 844, 300] as const, [1280, 800, 160] as const]) {
      await page.setViewportSize({ width, height })
      await open(own, '?lanes=compact&order=oldest')
      expect((await page.locator('svg.lane').first().boundingBox())?.y).toBeLessThanOrEqual(top)
      expect(await violationsOf(page)).toEqual([])
      expect(await page.locator('.compact .mark > text').first().isVisible()).toBe(true)
      const heads = await page.evaluate<
        string[]
      >(`[...document.querySelectorAll('.compact :is(.line, .hint)')]
        .filter((each) => {
          const { left, right, top, bottom } = each.getBoundingClientRect()
          const isOnTop = each.contains(document.elementFromPoint(right - 4, bottom - 8))
          return isOnTop && left >= 0 && right <= innerWidth && each.scrollWidth <= each.clientWidth
        })
        .map((each) => each.innerText.trim())`)
      const [ada, long] = ['Ada Lovelace, pro → basic', `${name}, basic`]
      const ids = ['sub_000001', 'sub_000002'] as const
      // There is no room for a long name beside a lane; its record is a link.
      const whole = width === 390 ? [ada, ids[0], long, ids[1]] : [ada, ...ids]
      expect(heads).toEqual(whole)
    }
  })

  it('says what a move did wherever one is, and moves no lane for it', async () => {
    const own = await server.create({ id: 'scrolled' })
    for (let nth = 0; nth < 14; nth += 1) {
      await own.subscriptions.create({ customer_id: 'cus_ada', plan: 'basic' })
    }
    await page.setViewportSize({ width: 1280, height: 800 })
    await open(own)
    await page.evaluate('scrollTo(0, 130)')
    // What stays above is above the head of the lanes.
    const isAbove = `document.elementFromPoint(300, 18).closest('.top') !== null`
    expect(await page.evaluate(isAbove)).toBe(true)
    const place = () => page.locator('svg.lane').first().boundingBox()
    const before = await place()
    await page.keyboard.press('d')
    const notice = page.getByText('The clock has moved.')
    await notice.waitFor()
    expect(await place()).toEqual(before)
    const { y = -1, height = 0 } = (await notice.boundingBox()) ?? {}
    expect(y).toBeGreaterThan(0)
    expect(y + height).toBeLessThan(800)
    expect(await violationsOf(page)).toEqual([])
  })

  it('opens what a mark leads to without a scroll, where it is in sight', async () => {
    const own = await withSubscription('opened')
    await page.setViewportSize({ width: 1280, height: 800 })
    await open(own)
    await page.locator('svg.lane .mark').first().click()
    await page.getByRole('heading', { name: 'sub_000001, 2027-01-01' }).waitFor()
    expect(await page.evaluate('scrollY')).toBe(0)
    // At the zoom of a year, too, the months have their amounts.
    await open(own, '?zoom=year')
    expect(await page.locator('.strip a text').first().textContent()).toBe('10.00')
  })

  it('draws lanes over the whole width of a phone, below their heads', async () => {
    const own = await server.create({ id: 'phone' })
    await own.subscriptions.create({ customer_id: 'cus_ada', plan: 'pro', coupon_id: 'SAVE20' })
    await page.setViewportSize({ width: 390, height: 844 })
    await open(own)
    const head = await page.locator('.lanes tbody th > div').boundingBox()
    const lane = await page.locator('svg.lane').boundingBox()
    const table = await page.locator('.lanes').boundingBox()
    expect((head?.y ?? 0) + (head?.height ?? 0)).toBeLessThanOrEqual(lane?.y ?? 0)
    // A name of several lines does not cover the lane either, whatever rows of discounts that has.
    await own.customers.update('cus_ada', { name: 'Ada, Countess of Lovelace '.repeat(5) })
    await open(own)
    const tall = await page.locator('.lanes tbody th > div').boundingBox()
    const below = await page.locator('svg.lane').boundingBox()
    expect(tall?.height).toBeGreaterThan(60)
    expect((tall?.y ?? 0) + (tall?.height ?? 0)).toBeLessThanOrEqual(below?.y ?? 0)
    expect(
      (lane?.x ?? 99) +
        (await page.evaluate<number>(`document.querySelector('.lanes').scrollLeft`)),
    ).toBeLessThan((table?.x ?? 0) + 20)
    for (let nth = 0; nth < 12; nth += 1) {
      await own.subscriptions.create({ customer_id: 'cus_linus', plan: 'pro' })
    }
    await open(own)
    // Wherever the lanes are scrolled to, the axis is above their heads.
    const above = await page.evaluate(`[...Array(20).keys()].map((nth) => {
      document.querySelector('.lanes').scrollTop = 5 * nth
      const { bottom } = document.querySelector('.lanes thead .time').getBoundingClientRect()
      const { left } = document.querySelector('.lanes').getBoundingClientRect()
      const parts = document.elementsFromPoint(left + 40, bottom - 10)
      return parts.map((part) => part.closest('.time, tbody th')).find(Boolean).closest('thead') !== null
    })`)
    expect(above).not.toContain(false)
    // Without the months, there is no room for them.
    await open(own, 'what-if?asked=true&ask=pause&subscription_id=sub_000001')
    expect((await page.locator('.lanes thead .time').boundingBox())?.height).toBeLessThan(60)
  })

  it('shows a price behind the name of its plan, also where that is read from right to left', async () => {
    const own = await server.create({ id: 'rtl' })
    const terms = { product_id: 'prod_app', currency: 'USD', interval: 'month' } as const
    await own.plans.create({ plan_id: 'dinar', name: 'خطة', amount: 1000, ...terms })
    const order = { customer_id: 'cus_ada', plan: 'dinar' }
    const { subscription_id: id } = await own.subscriptions.create(order)
    await open(own, `subscriptions/${id}`)
    const places = await page.getByRole('link', { name: 'خطة' }).evaluate((link) => {
      const price = link.ownerDocument.createRange()
      price.selectNode(link.nextSibling ?? link)
      return [link.getBoundingClientRect().right, price.getBoundingClientRect().left]
    })
    expect(places[1]).toBeGreaterThanOrEqual((places[0] ?? 0) - 1)
  })
})
