/**
 * Writes the pictures of the dashboard that README and guides show, light and dark: `npm run screenshots`. Needs a
 * Chromium; CHROMIUM names one that is not at /usr/bin/chromium.
 */
import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { openBrowser } from '../test/support/browser.ts'
import { openWatchedShop } from '../test/support/watched-shop.ts'

const folder = new URL('../docs/images/', import.meta.url)

await using shop = await openWatchedShop()
const pictures: Readonly<Record<string, string>> = {
  timeline: '',
}
await mkdir(folder, { recursive: true })
const browser = await openBrowser()
for (const [name, path] of Object.entries(pictures)) {
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await browser.newPage({ colorScheme, viewport: { width: 1280, height: 720 } })
    await page.goto(`${shop.sandbox.url}/dashboard/default/${path}`)
    await page.screenshot({ path: fileURLToPath(new URL(`${name}-${colorScheme}.png`, folder)) })
    await page.close()
  }
}
await browser.close()
