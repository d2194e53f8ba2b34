/**
 * Writes the pictures of the dashboard that README and guides show, light and dark, and a moving one: `npm run screenshots`.
 * Needs a Chromium, or its headless shell; CHROMIUM names one that is not in /usr/bin.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { openBrowser } from '../test/support/browser.ts'
import { openWatchedShop } from '../test/support/watched-shop.ts'
import { animatedPng, type Frame } from './animated-png.ts'

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
await writeFile(new URL('moving-time.png', folder), await movingTime())
await browser.close()

/** Now is dragged to the right, let go, and the move is undone. Only what changes is in the picture. */
async function movingTime(): Promise<Buffer> {
  const page = await browser.newPage({ viewport: { width: 980, height: 440 } })
  await page.goto(`${shop.sandbox.url}/dashboard/default/`)
  const [left, top] = [197, 0]
  const whole = { x: left, y: top, width: 980 - left, height: 440 }
  const picture = (clip = whole) => page.screenshot({ clip })
  const frames: [Frame, ...Frame[]] = [{ picture: await picture(), shownMs: 1500 }]
  const lanes = (await page.locator('.lanes').boundingBox()) ?? whole
  const drawing = {
    ...lanes,
    x: Math.ceil(lanes.x),
    y: Math.floor(lanes.y),
    height: 440 - Math.floor(lanes.y),
    width: Math.floor(lanes.width),
  }
  const { x = 0, y = 0, width = 0 } = (await page.getByRole('slider').boundingBox()) ?? {}
  const start = x + width / 2
  await page.mouse.move(start, y + 9)
  await page.mouse.down()
  for (let step = 1; step <= 4; step += 1) {
    await page.mouse.move(start + 40 * step, y + 9, { steps: 4 })
    // Until it says what would happen there.
    while (/^to [^:]*$/.test(await page.evaluate("document.querySelector('#now').ariaValueText"))) {
      await page.waitForTimeout(20)
    }
    const place = { left: drawing.x - left, top: drawing.y - top }
    frames.push({ picture: await picture(drawing), ...place, shownMs: step === 4 ? 1500 : 400 })
  }
  await page.mouse.up()
  await page.getByRole('button', { name: 'Undo' }).waitFor()
  frames.push({ picture: await picture(), shownMs: 3000 })
  await page.close()
  return animatedPng(frames)
}
