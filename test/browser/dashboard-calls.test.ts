/** Calls on a narrow screen, and on paper. */
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { Sandbox } from '../../src/index.ts'
import { hasBrowser, violationsOf } from '../support/browser.ts'
import { openPageForEach } from '../support/page-for-each.ts'

/** A call that succeeds, one that is refused, and one to a path that does not exist. */
async function callEverything({ url, apiKey }: Sandbox): Promise<void> {
  const headers = { Authorization: `Bearer ${apiKey}`, 'Sandbox-Consumer': 'web-shop' }
  const call = (path: string, body: Record<string, string>) =>
    fetch(`${url}/v1/subscriptions${path}`, {
      ...{ method: 'POST', headers, body: new URLSearchParams(body) },
    })
  await call('', { customer_id: 'cus_ada', plan: 'pro' })
  await call('/sub_000001/cancel', { at_period_end: 'often' })
  await call('/sub_000001/a-path-that-no-operation-has', {})
}

describe.runIf(hasBrowser)('calls on the dashboard', () => {
  let sandbox: Sandbox
  let page: Page

  openPageForEach(
    (opened) => {
      ;({ sandbox, page } = opened)
    },
    (prepared) => callEverything(prepared),
  )

  const open = (path: string) => page.goto(`${sandbox.url}/dashboard/default/${path}`)

  it('prints calls and recordings within the sheet', async () => {
    await page.setViewportSize({ width: 794, height: 1123 })
    await page.emulateMedia({ media: 'print' })
    for (const path of ['requests', 'live', 'recording']) {
      await open(path)
      const over = 'document.documentElement.scrollWidth - innerWidth'
      expect(await page.evaluate(over), path).toBe(0)
    }
  })

  it('shows the answer of each call on a narrow screen, without scrolling', async () => {
    await page.setViewportSize({ width: 390, height: 800 })
    for (const path of ['requests', 'live']) {
      await open(path)
      const answers = ['200', '400 invalid_request', '404 not_found']
      const messages = path === 'live' ? [/at_period_end must be/, /does not exist/] : []
      for (const text of [...answers, ...messages]) {
        const shown = page.locator('td').getByText(text, { exact: true }).first()
        const { x = 390, width = 0 } = (await shown.boundingBox()) ?? {}
        expect(x + width, `${path} ${text}`).toBeLessThan(390)
      }
      expect(await violationsOf(page), path).toEqual([])
    }
  })
})
