/**
 * The timeline page: what 20,000 subscriptions cost it over a hundred, and when it is painted; with a thousand a click on
 * "+1 month", and the frames while now is dragged. Needs a Chromium.
 */
import { openBrowser } from '../test/support/browser.ts'
import { type Figure, median, print, quantile } from './support/figures.ts'
import { inFolder, type Served, serveSandbox } from './support/processes.ts'
import { keep, subscribed } from './support/worlds.ts'

const ROUNDS = 21
const CLICKS = 5
const PAGE = '/dashboard/default/'
/** What a page may weigh, and how long a click may take. */
const BYTES_MAX = 1_000_000
const CLICK_MAX_MS = 1000
/** How long the first paint may take, from the request on. */
const PAINT_MAX_MS = 1000
/** How far now is dragged, in steps of two pixels, and how long a frame may take. */
const DRAG_STEPS = 150
const FRAME_MAX_MS = 50

interface Visited {
  readonly firstByteMs: number
  readonly bytes: number
}

/** Loads a page to its end. */
async function visit({ url }: Served, path: string): Promise<Visited> {
  const startedAt = performance.now()
  const answer = await fetch(`${url}${path}`)
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`)
  let firstByteMs: number | null = null
  let bytes = 0
  for await (const chunk of answer.body ?? []) {
    firstByteMs ??= performance.now() - startedAt
    bytes += chunk.length
  }
  return { firstByteMs: firstByteMs ?? Number.NaN, bytes }
}

/** Sends the form of the clock as a browser does, and loads the page that it leads to. */
async function click({ url }: Served): Promise<number> {
  const startedAt = performance.now()
  const answer = await fetch(`${url}${PAGE}clock/advance`, {
    method: 'POST',
    headers: { Origin: url },
    body: new URLSearchParams({ move: 'P1M', back: PAGE }),
  })
  if (answer.status !== 200) throw new Error(`The click answered ${answer.status}`)
  await answer.text()
  return performance.now() - startedAt
}

/** How long the page takes to its first paint in a browser that has its script and styles, each time. */
async function firstPaints({ url }: Served): Promise<number[]> {
  const browser = await openBrowser()
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
    const paints: number[] = []
    for (let round = 0; round <= CLICKS; round += 1) {
      await page.goto(`${url}${PAGE}`)
      const painted = `performance.getEntriesByName('first-contentful-paint')[0]?.startTime`
      let at: number | undefined
      while (at === undefined) at = await page.evaluate<number | undefined>(painted)
      paints.push(at)
    }
    return paints.slice(1)
  } finally {
    await browser.close()
  }
}

/** Drags now in a browser; answers the times from each frame to the next, in milliseconds. */
async function draggedFrames({ url }: Served): Promise<number[]> {
  const browser = await openBrowser()
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
    await page.goto(`${url}${PAGE}`)
    const { x = 0, y = 0, width = 0 } = (await page.locator('#now').boundingBox()) ?? {}
    await page.evaluate(`{
      window.seen = []
      const note = (at) => { seen.push(at); requestAnimationFrame(note) }
      requestAnimationFrame(note)
    }`)
    await page.mouse.move(x + width / 2, y + 9)
    await page.mouse.down()
    await page.mouse.move(x + width / 2 + 2 * DRAG_STEPS, y + 9, { steps: DRAG_STEPS })
    const seen = await page.evaluate<number[]>('window.seen')
    await page.locator('.outcome').filter({ hasText: 'renewed' }).waitFor()
    return seen.slice(1).map((at, index) => at - (seen[index] ?? at))
  } finally {
    await browser.close()
  }
}

/** Serves so many subscriptions that are all a month old or more. */
function withSubscriptions<Value>(
  count: number,
  work: (served: Served) => Promise<Value>,
): Promise<Value> {
  return inFolder(async (folder) => {
    await keep(subscribed(count), folder)
    const served = await serveSandbox(folder)
    try {
      await visit(served, PAGE)
      return await work(served)
    } finally {
      await served.stop()
    }
  })
}

async function visits(served: Served, path: string): Promise<Visited[]> {
  const found: Visited[] = []
  for (let round = 0; round < ROUNDS; round += 1) found.push(await visit(served, path))
  return found
}

function measured(count: number) {
  return withSubscriptions(count, async (served) => {
    await click(served)
    return {
      first: await visits(served, PAGE),
      year: await visits(served, `${PAGE}?zoom=year`),
      trouble: await visits(served, `${PAGE}?sort=trouble`),
      paints: await firstPaints(served),
    }
  })
}

function firstByte(measure: string, few: readonly Visited[], many: readonly Visited[]): Figure {
  const [base, found] = [few, many].map((each) => median(each.map((one) => one.firstByteMs)))
  return {
    measure,
    against: 'the same page with 100',
    ratio: (found ?? Number.NaN) / (base ?? Number.NaN),
    target: { atMost: 3 },
    behind: `${found?.toFixed(1)} ms, ${base?.toFixed(1)} ms`,
  }
}

function weight(measure: string, pages: readonly Visited[]): Figure {
  const bytes = Math.max(...pages.map((page) => page.bytes))
  return {
    measure,
    against: '1 MB',
    ratio: bytes / BYTES_MAX,
    target: { atMost: 1 },
    behind: `${(bytes / 1000).toFixed(0)} kB`,
  }
}

const few = await measured(100)
const many = await measured(20_000)
const { clicks, frames } = await withSubscriptions(1000, async (served) => {
  const clicks: number[] = []
  for (let made = 0; made < CLICKS; made += 1) clicks.push(await click(served))
  return { clicks, frames: await draggedFrames(served) }
})
print([
  firstByte('first byte of the timeline with 20,000 subscriptions', few.first, many.first),
  firstByte('first byte of a year of it', few.year, many.year),
  {
    ...firstByte('first byte of it with trouble first', many.first, many.trouble),
    against: 'the same page in its usual order',
  },
  weight('the timeline with 20,000 subscriptions', many.first),
  weight('a year of it', many.year),
  {
    measure: 'first paint of the timeline with 20,000 subscriptions',
    against: 'the second that it may take; the slowest of 5',
    ratio: Math.max(...many.paints) / PAINT_MAX_MS,
    target: { atMost: 1 },
    behind: many.paints.map((ms) => `${ms.toFixed(0)} ms`).join(', '),
  },
  {
    measure: 'a click on "+1 month" with 1,000 subscriptions, and the timeline after it',
    against: 'the second that it may take; the slowest',
    ratio: Math.max(...clicks) / CLICK_MAX_MS,
    target: { atMost: 1 },
    behind: clicks.map((ms) => `${ms.toFixed(0)} ms`).join(', '),
  },
  {
    measure: 'a frame while now is dragged with 1,000 subscriptions',
    against: 'the 50 ms that it may take; 95 of 100 frames',
    ratio: quantile(frames, 0.95) / FRAME_MAX_MS,
    target: { atMost: 1 },
    behind: `${quantile(frames, 0.95).toFixed(1)} ms; median ${median(frames).toFixed(1)} ms of ${frames.length} frames`,
  },
])
