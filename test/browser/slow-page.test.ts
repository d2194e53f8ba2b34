/** A page whose rest takes long: it says what it works on and how far it is, with scripts and without. */
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { raw } from 'hono/html'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dashboard } from '../../src/dashboard/app.tsx'
import { type Sandbox, startSandbox } from '../../src/index.ts'
import { hasBrowser, openBrowser, violationsOf } from '../support/browser.ts'

describe.runIf(hasBrowser)('a slow page', () => {
  let browser: Browser
  let sandbox: Sandbox
  /** What the page works towards, and how far it is. */
  let end: (body: string) => void
  let share: number | null = null
  let now: string

  const pages = dashboard(
    {
      controlToken: 'secret',
      answer: async (request) => {
        const { pathname, search } = new URL(request.url)
        const isAllowed = request.headers.get('Sandbox-Control-Token') === 'secret'
        if (pathname === '/sandboxes/default' && isAllowed) return Response.json({ now })
        const address = `${sandbox.url}${pathname}${search}`
        const answered = await sandbox.fetch(new Request(address, request))
        if (pathname !== '/sandbox') return answered
        const summary = (await answered.json()) as object
        return Response.json({ ...summary, what_if_progress: share })
      },
    },
    {
      slow: {
        show: (page) => {
          if (page.query('begin') === undefined) {
            const back = `<input type="hidden" name="back" value="${page.here}">`
            const moves = ['P1M', 'P5W'].map(
              (by) => `<button name="move" value="${by}">${by}</button>`,
            )
            const body = raw(`<form method="post">${back}${moves.join('')}</form>`)
            return { title: 'Slow', text: '[Begin](slow?begin=1)', body }
          }
          const body = new Promise<string>((resolve) => {
            end = resolve
          })
          return { title: 'Slow', later: { says: 'Working.', body } }
        },
        act: async (page) => {
          await new Promise((resolve) => {
            end = resolve
          })
          return page.here
        },
      },
    },
  )
  const server = serve({ fetch: pages.fetch, port: 0, hostname: '127.0.0.1' })

  beforeAll(async () => {
    sandbox = await startSandbox()
    browser = await openBrowser()
  })

  afterAll(async () => {
    await browser?.close()
    server.close()
    await sandbox.close()
  })

  it.each([true, false])('says how far it is, with scripts: %s', async (javaScriptEnabled) => {
    const context = await browser.newContext({ javaScriptEnabled })
    const visitor = await context.newPage()
    share = null
    await visitor.goto(addressOf(server))
    await visitor.getByRole('link', { name: 'Begin' }).click({ noWaitAfter: true })
    const bars = visitor.getByRole('progressbar', { name: 'Working.' })
    const shown = async () => {
      const values = bars.evaluateAll((all) =>
        all.map((each) => each.checkVisibility() && each.getAttribute('value')),
      )
      return (await values).filter((value) => value !== false)
    }
    await expect.poll(shown).toEqual([null])
    for (const done of [0.25, 0.5]) {
      share = done
      await expect.poll(shown).toEqual([String(done)])
    }
    end('All of it.')
    await visitor.getByText('All of it.').waitFor()
    expect(await shown()).toEqual([])
    await context.close()
  })

  it.each([true, false])(
    'says that it compares futures while it does, with scripts: %s',
    async (javaScriptEnabled) => {
      const own = await sandbox.create({ id: `many-${javaScriptEnabled}` })
      let compare: () => void = () => undefined
      const asked = new Promise<void>((resolve) => {
        compare = resolve
      })
      const answer = async (request: Request) => {
        const { pathname, search } = new URL(request.url)
        if (pathname === '/sandbox/what-if') await asked
        return sandbox.fetch(new Request(`${sandbox.url}${pathname}${search}`, request))
      }
      const { fetch } = dashboard({ controlToken: null, answer })
      const held = serve({ fetch, port: 0, hostname: '127.0.0.1' })
      for (const customer_id of ['cus_linus', 'cus_ada', 'cus_ada']) {
        await own.subscriptions.create({ customer_id, plan: 'basic' })
      }
      const context = await browser.newContext({ javaScriptEnabled })
      const visitor = await context.newPage()
      await visitor.goto(addressOf(held, `${own.id}/what-if?ask=cancel`))
      await visitor.getByLabel('Subscription').fill('sub_000001')
      await visitor.getByRole('button', { name: 'Compare' }).click({ noWaitAfter: true })
      const working = visitor
        .getByRole('status')
        .getByText('Comparing two futures of 3 subscriptions.')
      await working.waitFor()
      expect(await visitor.getByRole('progressbar').isVisible()).toBe(true)
      compare()
      await visitor.getByText('1 subscription differs; 2 are the same').waitFor()
      expect(await working.isVisible()).toBe(false)
      expect(await visitor.locator('svg.lane').count()).toBe(1)
      if (javaScriptEnabled) expect(await violationsOf(visitor)).toEqual([])
      await context.close()
      held.close()
    },
  )

  it.each([
    ['P1M', 31],
    ['P5W', 35],
  ])(
    'says that it works while a form takes long, and how far a move by %s is',
    async (by, days) => {
      const visitor = await browser.newPage()
      await visitor.goto(addressOf(server))
      const from = Date.parse(
        (await visitor.locator('.clock-bar time').getAttribute('datetime')) ?? '',
      )
      now = new Date(from + 19 * 86_400_000).toISOString()
      await visitor.getByRole('button', { name: by }).click({ noWaitAfter: true })
      const working = visitor.getByRole('status').getByText('Working.')
      await working.waitFor()
      await visitor
        .getByRole('status')
        .getByText(`The clock is at ${now.slice(0, 10)}.`)
        .waitFor()
      const share = await visitor.getByRole('progressbar').getAttribute('value')
      expect(Number(share)).toBeCloseTo(19 / days, 5)
      expect(await violationsOf(visitor)).toEqual([])
      end('')
      await working.waitFor({ state: 'detached' })
      await visitor.close()
    },
  )
})

function addressOf(server: ReturnType<typeof serve>, path = 'default/slow'): string {
  const { port } = server.address() as AddressInfo
  return `http://127.0.0.1:${port}/dashboard/${path}`
}
