/** A real browser: the Chromium of the machine, which downloads nothing. Its headless shell opens a page with a quarter of the work. */
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, chromium, type Page } from 'playwright-core'

const usual = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']
const executablePath =
  process.env['CHROMIUM'] ?? usual.find((each) => existsSync(each)) ?? usual.join(' or ')

/** Whether the machine has one; says so where it has none. */
export const hasBrowser = existsSync(executablePath)

if (!hasBrowser) {
  process.stderr.write(
    `No page was opened: there is no ${executablePath}; CHROMIUM names another.\n`,
  )
}

/** Without its own sandbox, which root has no use of: only pages of this test are opened. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
}

/** What a page asked of anybody else, what it refused to load, and what failed in it. */
export interface Watch {
  readonly outside: string[]
  readonly refused: string[]
  readonly errors: string[]
}

/** Has a page note what it should not do. */
export async function watch(page: Page, own: string): Promise<Watch> {
  const noted: Watch = { outside: [], refused: [], errors: [] }
  await page.route('**/*', (route) => {
    const address = route.request().url()
    if (address.startsWith(own)) return route.continue()
    noted.outside.push(address)
    return route.abort()
  })
  page.on('console', (message) => {
    if (/Content Security Policy/i.test(message.text())) noted.refused.push(message.text())
  })
  page.on('pageerror', (error) => noted.errors.push(error.message))
  return noted
}

/** The rules of WCAG 2.0 to 2.2, at levels A and AA, and what axe-core calls best practices. */
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

const require = createRequire(import.meta.url)

/** axe-core, as small as it comes: each page that is looked at reads it anew. */
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')

/** Passes are not listed, and no style sheets of other sites are loaded: there are none. */
const options = {
  runOnly: { type: 'tag', values: rules },
  resultTypes: ['violations'],
  preload: false,
}

/** Some rules, by their names, and elements that there are; without them, all rules and the whole page. */
interface Part {
  readonly rules?: readonly string[]
  readonly within?: string
}

/** What axe-core finds wrong with a page, or with a part of it: the rule and the element. */
export async function violationsOf(page: Page, part: Part = {}): Promise<string[]> {
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(axe)
  const { rules: some, within = ':root' } = part
  const own = some && { runOnly: { type: 'rule', values: some } }
  const call = `axe.run(${JSON.stringify(within)}, ${JSON.stringify({ ...options, ...own })})`
  const found = await page.evaluate(call)
  const { violations } = found as {
    violations: { id: string; nodes: { target: string[]; failureSummary: string }[] }[]
  }
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary}`),
  )
}

/** Where a day is on the axis of a timeline. */
export function placeOf(page: Page, day: string): Promise<{ x: number; y: number }> {
  return page.evaluate(`(() => {
    const { from, until } = document.querySelector('#now').dataset
    const axis = document.querySelector('svg.axis').getBoundingClientRect()
    const [start, end] = [from, until].map(Date.parse)
    const share = (Date.parse('${day}T12:00Z') - start) / (end - start)
    return { x: axis.left + share * axis.width, y: axis.top + 9 }
  })()`)
}
