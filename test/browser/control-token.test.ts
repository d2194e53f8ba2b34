import { expect, it } from 'vitest'
import { start } from '../../src/server/start.ts'
import { hasBrowser, openBrowser } from '../support/browser.ts'

const control = `?urls.primaryName=${encodeURIComponent('The control plane, /sandbox')}`

it.runIf(hasBrowser)(
  'has Execute send the control token that was given under Authorize',
  async () => {
    const memory = { host: '127.0.0.1', allowedHosts: [], port: 0, folder: null } as const
    const plain = { durability: 'commit', lock: 'kernel', fixture: null } as const
    const clock = { clockStart: null, running: false, log: () => undefined }
    const sandbox = await start({ ...memory, ...plain, ...clock, controlToken: 'secret' })
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
    await sandbox.close()
  },
)
