/** The dashboard on paper, in the colours of the visitor, with long names, in place, and by keys. */
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { Sandbox } from '../../src/index.ts'
import { hasBrowser, placeOf, violationsOf } from '../support/browser.ts'
import { openPageForEach } from '../support/page-for-each.ts'

describe.runIf(hasBrowser)('the dashboard', () => {
  let sandbox: Sandbox
  let page: Page

  openPageForEach(
    (opened) => {
      ;({ sandbox, page } = opened)
    },
    async (prepared) => {
      await prepared.subscriptions.create({ customer_id: 'cus_ada', plan: 'basic' })
      await prepared.clock.advance('P1M')
    },
  )

  const open = (path: string) => page.goto(`${sandbox.url}/dashboard/default/${path}`)
  const focus = () => page.evaluate('document.activeElement.textContent')

  it('prints what a page says, without what can be pressed', async () => {
    await page.emulateMedia({ media: 'print' })
    for (const path of ['', 'customers', 'settings']) {
      await open(path)
      expect(await page.locator('h1').isVisible(), path).toBe(true)
      expect(await page.locator('.clock-bar time').isVisible(), path).toBe(true)
      expect(await page.locator('button:visible, .button:visible, search:visible').count()).toBe(0)
      expect(await page.locator('#places').isVisible(), path).toBe(false)
    }
    expect(await page.locator('.settings').locator('input, select').first().isVisible()).toBe(true)
  })

  it.for(['light', 'dark'] as const)(
    'draws with the colours that the visitor chose: %s',
    async (colorScheme) => {
      await page.emulateMedia({ forcedColors: 'active', colorScheme })
      await open('')
      const found = await page.evaluate<Record<string, string[]>>(`(() => {
        const probe = document.body.appendChild(document.createElement('p'))
        const own = ['CanvasText', 'LinkText'].map((name) => {
          probe.style.color = name
          return getComputedStyle(probe).color
        })
        const texts = [...document.querySelectorAll('.lanes svg text')]
        const fills = new Set(texts.map((text) => getComputedStyle(text).fill))
        return { fills: [...fills].sort(), own: own.sort() }
      })()`)
      expect(found['fills']).toEqual(found['own'])
    },
  )

  it('keeps the columns of a list in sight beside a long name, which is there as a whole', async () => {
    const name = `Constance ${'x'.repeat(190)}`
    await sandbox.customers.create({ customer_id: 'cus_long', name })
    await open('customers')
    const scrolls = await page
      .locator('.scrolls')
      .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
    expect(scrolls).toBe(0)
    expect(await page.locator('.scrolls').innerText()).toContain(name)
    // What is short is not broken for it.
    const id = page.getByRole('link', { name: 'cus_ada' })
    expect(await id.evaluate((link) => link.getClientRects()[0]?.height)).toBeLessThan(30)
  })

  it('changes in place: what links, filters, moves of the clock and the history show', async () => {
    const own = await sandbox.create({ id: 'place' })
    await own.subscriptions.create({ customer_id: 'cus_ada', plan: 'basic' })
    const posts: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST') posts.push(new URL(request.url()).pathname)
    })
    await page.goto(`${sandbox.url}/dashboard/place/`)
    await page.evaluate('window.isSamePage = true')
    await page.locator('.switcher').evaluate((details) => details.setAttribute('open', ''))
    await page.getByRole('link', { name: 'Month', exact: true }).click()
    await page.waitForURL('**/place/?zoom=month')
    expect(await focus()).toBe('Month')
    expect(await page.locator('.switcher').getAttribute('open')).toBe('')
    await page.getByRole('link', { name: 'Later' }).click()
    await page.waitForURL('**/place/?zoom=month&from=*')
    const notice = page.locator('#notice[role=status]')
    const button = page.getByRole('button', { name: '+1 month' })
    await button.focus()
    await page.evaluate("for (const _ of 'ab') document.activeElement.click()")
    await notice.getByText('The clock has moved. 2027-01-01 → 2027-02-01').waitFor()
    expect(new URL(page.url()).searchParams.get('did')).toBe(null)
    expect(await focus()).toBe('+1 month')
    await notice.getByRole('button', { name: 'Undo' }).click()
    await notice.getByText('the sandbox is back at 2027-01-01').waitFor()
    expect(posts).toEqual(['advance', 'undo'].map((path) => `/dashboard/place/clock/${path}`))
    await page.goBack()
    await page.locator('.moves [aria-current]').getByText('Month').waitFor()
    await page.goBack()
    await page.locator('.moves [aria-current]').getByText('Quarter').waitFor()
    expect(await page.evaluate('window.isSamePage')).toBe(true)
    await page.getByRole('link', { name: 'Customers', exact: true }).click()
    await page.waitForURL('**/place/customers')
    expect(await page.evaluate('window.isSamePage')).toBe(undefined)
  })

  it('shows a refused form in place, at an address that shows its page again', async () => {
    await sandbox.create({ id: 'refusing' })
    const clock = `${sandbox.url}/dashboard/refusing/clock`
    await page.goto(clock)
    await page.evaluate('window.isSamePage = true')
    await page.getByLabel('To a date').fill('2020-01-01')
    await page.getByRole('button', { name: 'Move to date' }).click()
    await page.getByText('The clock only moves forward').waitFor()
    expect(await page.getByLabel('To a date').inputValue()).toBe('2020-01-01')
    expect(page.url()).toBe(clock)
    await page.getByLabel('To a date').fill('2030-01-01')
    await page.getByRole('button', { name: 'Move to date' }).click()
    await page.getByText('The clock has moved').waitFor()
    expect(await page.evaluate('window.isSamePage')).toBe(true)
    // Of a form that is sent to its page, too.
    await open('what-if?ask=price')
    await page.evaluate('window.isSamePage = true')
    const form = '<form method="post"><input name="ask" value="price"><button>Send</button></form>'
    await page
      .locator('main')
      .evaluate((main, html) => main.insertAdjacentHTML('afterbegin', html), form)
    await page.getByRole('button', { name: 'Send' }).click()
    await page.locator('.refusal').waitFor()
    expect(page.url()).toMatch(/what-if\?ask=price$/)
    expect(await page.evaluate('window.isSamePage')).toBe(true)
  })

  it('keeps what is typed in a form while another is sent, and leads to what is wrong in one', async () => {
    await open('tokens')
    const [subject, token] = [page.getByLabel('Subject'), page.getByLabel('Refresh token')]
    await subject.fill('half')
    await token.fill('nonsense')
    const before = await sandbox.clock.now()
    await page.getByRole('button', { name: '+1 day' }).click()
    await page.locator('#notice').getByText('The clock has moved').waitFor()
    expect(await sandbox.clock.now()).not.toBe(before)
    expect([await subject.inputValue(), await token.inputValue()]).toEqual(['half', 'nonsense'])
    await page.getByRole('button', { name: 'Refresh', exact: true }).click()
    await page.getByText('was never issued').waitFor()
    expect(await token.evaluate((field) => field === field.ownerDocument.activeElement)).toBe(true)
    expect([await subject.inputValue(), await token.inputValue()]).toEqual(['half', ''])
  })

  /** A sandbox with a subscription that pays and one that fails, and its timeline. */
  async function openLanes(id: string): Promise<Sandbox> {
    const own = await sandbox.create({ id })
    await own.payments.script({ always: 'card_declined', customer_id: 'cus_linus' })
    await own.subscriptions.create({ customer_id: 'cus_ada', plan: 'basic' })
    await page.goto(`${sandbox.url}/dashboard/${id}/`)
    return own
  }

  it('begins another list of lanes at its top, and another part of time where one was', async () => {
    const own = await openLanes('scrolled')
    for (let nth = 0; nth < 50; nth += 1) {
      await own.subscriptions.create({ customer_id: 'cus_ada', plan: 'basic' })
    }
    await page.reload()
    const lanes = page.locator('.lanes')
    const placeAfter = async (link: string, address: RegExp) => {
      await lanes.evaluate((each) => each.scrollTo(0, 500))
      await page.getByRole('link', { name: link, exact: true }).click()
      await page.waitForURL(address)
      return lanes.evaluate((each) => each.scrollTop)
    }
    expect(await placeAfter('Month', /zoom=month/)).toBe(500)
    expect(await placeAfter('Trouble first', /sort=trouble/)).toBe(0)
    expect(await placeAfter('Next page', /after=/)).toBe(0)
  })

  async function drag(from: string, to: string): Promise<void> {
    const [start, end] = [await placeOf(page, from), await placeOf(page, to)]
    await page.mouse.move(start.x, start.y)
    await page.mouse.down()
    await page.mouse.move(end.x, end.y, { steps: 5 })
  }

  it('moves time by hand: says what would happen while now is dragged, and moves when it is let go', async () => {
    const own = await openLanes('dragged')
    const handle = page.getByRole('slider', { name: 'Virtual now' })
    const says = () => handle.getAttribute('aria-valuetext')
    let asked = 0
    let release: () => void = () => undefined
    const arrived = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/clock/preview*', async (route) => {
      asked += 1
      await arrived
      await route.continue()
    })
    await drag('2027-01-01', '2027-02-10')
    release()
    await expect.poll(says).toBe('to 2027-02-10: 1 renewed, 10.00 USD paid')
    expect(await page.locator('.outcome').innerText()).toBe(await says())
    // The first place while it waited, and then the last one.
    expect(asked).toBe(2)
    await page.keyboard.press('Escape')
    await page.mouse.move(0, 0)
    await page.mouse.up()
    expect(await page.locator('.outcome').isVisible()).toBe(false)
    expect(await own.clock.now()).toBe('2027-01-01T00:00:00.000Z')
    // From the press on, what others change waits.
    const { x, y } = await placeOf(page, '2027-01-01')
    await page.mouse.move(x, y)
    await page.mouse.down()
    await own.customers.create({ customer_id: 'cus_early' })
    await page.getByRole('button', { name: '1 change, show' }).waitFor()
    const later = await placeOf(page, '2027-02-10')
    await page.mouse.move(later.x, later.y)
    await expect.poll(says).toBe('to 2027-02-10: 1 renewed, 10.00 USD paid')
    await page.mouse.up()
    await page.getByText('The clock has moved. 2027-01-01 → 2027-02-10: 1 renewed').waitFor()

    await drag('2027-02-10', '2027-01-20')
    await expect.poll(says).toBe('2027-01-20: back to 2027-01-01, before a move')
    await page.mouse.up()
    await page.getByText('The sandbox is back at 2027-01-01.').waitFor()
    await own.checkpoint('mine')
    await own.clock.advance('P1M')
    await own.customers.create({ customer_id: 'cus_late' })
    await page.locator('#now[data-now^="2027-02-01"]').waitFor()
    await drag('2027-02-01', '2027-01-20')
    await expect.poll(says).toBe('2027-01-20: back to 2027-01-01, the checkpoint mine')
    await page.mouse.up()
    await page.getByRole('heading', { name: 'Restore mine?' }).waitFor()
    expect(await own.clock.now()).toBe('2027-02-01T00:00:00.000Z')
  })

  it('follows keys, but not in a field or with a modifier, and lists them', async () => {
    const own = await openLanes('keyed')
    await own.subscriptions.create({ customer_id: 'cus_linus', plan: 'pro' })
    await page.locator('.lanes tbody tr').nth(1).waitFor()
    const press = (key: string) => page.keyboard.press(key)
    // The newest is the first.
    for (const [key, id] of [
      ['j', 'sub_000002'],
      ['j', 'sub_000001'],
      ['k', 'sub_000002'],
    ] as const) {
      await press(key)
      expect(await focus()).toBe(id)
    }
    const shown: [key: string, query: string][] = [
      ['+', '?zoom=month'],
      ['-', ''],
      ['ArrowRight', '?from=2027-01-16'],
      ['ArrowLeft', '?from=2026-12-01'],
      ['t', ''],
    ]
    for (const [key, query] of shown) {
      await press(key)
      await expect.poll(() => new URL(page.url()).search, { message: key }).toBe(query)
    }
    const moves: [key: string, now: string][] = [
      ['d', '2027-01-02'],
      ['w', '2027-01-09'],
      ['e', '2027-02-01'],
      ['m', '2027-03-01'],
      ['z', '2027-02-01'],
    ]
    for (const [key, now] of moves) {
      await press(key)
      await page.locator(`.clock-bar time[datetime^="${now}"]`).waitFor()
    }
    await press('Control+d')
    await press('/')
    expect(await page.evaluate('document.activeElement.name')).toBe('search')
    for (const key of ['Tab', 'Tab', 'd']) await press(key)
    expect(await page.getByLabel('Customer').inputValue()).toBe('d')
    await page.locator('main').focus()
    await press('?')
    const keys = page.getByRole('dialog', { name: 'Keys' })
    expect(await keys.getByText('Move the clock by a week').isVisible()).toBe(true)
    expect(await violationsOf(page)).toEqual([])
    await keys.getByLabel('Use the keys of one letter or sign').uncheck()
    await press('Escape')
    await page.locator('main').focus()
    await press('c')
    await press('d')
    expect(await own.clock.now()).toBe('2027-02-01T00:00:00.000Z')
    await page.evaluate('localStorage.clear()')
    await press('c')
    await page.waitForURL('**/keyed/subscriptions/~new')
  })

  it('closes the list of sandboxes with Escape, and returns to what opened it', async () => {
    await open('clock')
    await page.locator('.switcher summary').press('Enter')
    await page.locator('.switcher').getByRole('link').first().focus()
    await page.keyboard.press('Escape')
    expect(await page.locator('.switcher').getAttribute('open')).toBe(null)
    expect(await page.locator('.switcher summary:focus').count()).toBe(1)
  })
})
