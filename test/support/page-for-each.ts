/** What the tests of a file on pages have in common: a browser and a sandbox, and a page for each test. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { type Sandbox, startSandbox } from '../../src/index.ts'
import { openBrowser } from './browser.ts'

/** A browser and a sandbox for the tests of a file, and a page for each of them. */
export function openPageForEach(
  ready: (opened: { browser: Browser; sandbox: Sandbox; page: Page }) => void,
  prepare: (sandbox: Sandbox) => Promise<unknown> = async () => undefined,
): void {
  let browser: Browser
  let sandbox: Sandbox
  let page: Page
  beforeAll(async () => {
    browser = await openBrowser()
    sandbox = await startSandbox({ now: '2027-01-01T00:00:00.000Z' })
    await prepare(sandbox)
  })
  beforeEach(async () => {
    page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
    ready({ browser, sandbox, page })
  })
  afterEach(() => page.close())
  afterAll(async () => {
    await browser?.close()
    await sandbox?.close()
  })
}
