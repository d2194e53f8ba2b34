import { expect, it } from 'vitest'
import { hasBrowser, openBrowser } from '../support/browser.ts'
import { serveHere } from '../support/command-line.ts'

const control = `?urls.primaryName=${encodeURIComponent('The control plane, /sandbox')}`

it.runIf(hasBrowser)(
  'has Execute send the control token that was given under Authorize',
  async () => {
    const sandbox = await serveHere({ controlToken: 'secret' })
    const browser = await openBrowser()
    const page = await browser.newPage()
    await page.goto(`${sandbox.url}/docs/${control}`)
    await page.locator('#examples[data-made="true"]').waitFor()
    const describe = page.locator('#operations-Sandbox-describeSandbox')
    const status = describe.locator('.live-responses-table .response-col_status').last()
    await describe.locator('.opblock-summary-control').click()
    await describe.locator('button.execute').click()
    await status.waitFor()
    expect(await status.innerText()).toContain('401')

    await page.locator('.auth-wrapper > button.authorize').click()
    await page.locator('.auth-container input[type="text"]').fill('secret')
    await page.locator('.auth-btn-wrapper button.authorize').click()
    await page.locator('.auth-btn-wrapper button.btn-done').click()
    await describe.locator('button.execute').click()
    await expect.poll(() => status.innerText()).toContain('200')
    await browser.close()
    await sandbox.stop()
  },
)
