/**
 * Checks of the repository itself: layering, purity, size, leftovers, links. Each takes texts and answers problems,
 * so that a test can plant a violation and see it found.
 */
import { dirname, join, normalize } from 'node:path'

/** The texts of files by their path from the root. */
export type Files = ReadonlyMap<string, string>

const pure = ['time', 'assumptions', 'billing', 'tokens']
const model = ['world', ...pure]

/** Which folders of src/ each folder may import, beside itself. */
export const mayImport: Readonly<Record<string, readonly string[]>> = {
  time: [],
  assumptions: ['time'],
  billing: ['assumptions', 'time'],
  tokens: ['assumptions', 'time'],
  world: pure,
  wire: model,
  operations: ['generated', 'surface', 'wire', ...model],
  store: [],
  masking: [],
  sandbox: ['operations', 'store', 'wire', 'version.ts', ...model],
  contracts: ['masking'],
  provider: ['contracts', 'masking', 'operations', 'sandbox', 'store', 'surface', 'wire', ...model],
  surface: ['masking', 'wire', ...model],
  openapi: ['operations', 'surface', 'wire', 'headers.ts', 'version.ts', ...model],
  http: [
    'contracts',
    'generated',
    'masking',
    'openapi',
    'operations',
    'provider',
    'sandbox',
    'surface',
    'wire',
    'headers.ts',
    'version.ts',
    ...model,
  ],
  server: [
    'dashboard',
    'http',
    'openapi',
    'provider',
    'sandbox',
    'store',
    'surface',
    'wire',
    'headers.ts',
    'version.ts',
    ...model,
  ],
  learn: [
    'contracts',
    'http',
    'masking',
    'operations',
    'sandbox',
    'server',
    'store',
    'surface',
    'wire',
    'version.ts',
    ...model,
  ],
  generated: [],
  verification: ['assumptions', 'contracts', 'http', 'server', 'headers.ts', 'version.ts'],
  'client.ts': ['generated'],
  library: ['client.ts', 'generated', 'operations', 'wire', 'headers.ts'],
  'index.ts': ['http', 'library', 'server', 'store', 'surface', 'wire', ...model],
  'test-server.ts': ['index.ts', 'server'],
  'vitest.ts': ['index.ts', 'library', 'test-server.ts'],
  'vitest-reporter.ts': ['http', 'index.ts', 'surface', 'test-server.ts', 'wire'],
  'fast-check.ts': ['assumptions', 'billing', 'library'],
  'pact.ts': ['contracts', 'generated', 'http', 'library', 'surface', 'verification'],
  dashboard: ['generated', 'library', 'operations', 'wire', 'headers.ts', 'version.ts', ...model],
  mcp: ['contracts', 'openapi', 'operations', 'surface', 'headers.ts', 'version.ts'],
  cli: [
    'contracts',
    'generated',
    'http',
    'index.ts',
    'learn',
    'library',
    'masking',
    'mcp',
    'openapi',
    'operations',
    'provider',
    'sandbox',
    'server',
    'store',
    'surface',
    'verification',
    'wire',
    'headers.ts',
    'version.ts',
    ...model,
  ],
  'headers.ts': [],
  'version.ts': [],
}

/** The packages that a folder may import; folders that are not listed may import any. */
const packages: Readonly<Record<string, RegExp>> = {
  time: /^zod$/,
  assumptions: /^zod$/,
  billing: /^zod$/,
  tokens: /^zod$/,
  wire: /^zod$/,
  store: /^(lowdb(\/.*)?|fs-native-extensions|zod|node:.*)$/,
  world:
    /^(zod|fastest-levenshtein|sorted-btree|@sinonjs\/fake-timers|node:crypto|node:timers\/promises)$/,
  sandbox: /^(zod|standardwebhooks|node:.*)$/,
}

const impurities =
  /\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bconsole\.|\bprocess\.|\bsetTimeout\b|\bsetInterval\b|\bcrypto\b|\bfetch\(/

/** Imports that go upward, and packages that do not belong where they are imported. */
export function layeringProblems(files: Files): string[] {
  return importsOf(files).flatMap(({ from, to }) => {
    const layer = layerOf(from)
    if (!to.startsWith('src/')) {
      const allowed = packages[layer]
      return allowed === undefined || allowed.test(to) ? [] : [`${from} imports the package ${to}`]
    }
    const target = layerOf(to)
    const isAllowed = target === layer || (mayImport[layer] ?? []).includes(target)
    return isAllowed ? [] : [`${from} imports ${to}: ${layer} may not know ${target}`]
  })
}

/** Import cycles, type-only ones included. */
export function cycleProblems(files: Files): string[] {
  const imports = new Map<string, string[]>()
  for (const { from, to } of importsOf(files)) imports.set(from, [...(imports.get(from) ?? []), to])
  const done = new Set<string>()
  const problems: string[] = []
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) problems.push([...path.slice(path.indexOf(file)), file].join(' -> '))
    if (path.includes(file) || done.has(file)) return
    for (const next of imports.get(file) ?? []) visit(next, [...path, file])
    done.add(file)
  }
  for (const file of imports.keys()) visit(file, [])
  return problems
}

/** Folders that import each other, one within the other too: of two rooms, one is above. */
export function roomProblems(files: Files): string[] {
  const rooms = importsOf(files)
    .filter(({ to }) => to.startsWith('src/'))
    .map(({ from, to }) => ({ from: dirname(from), to: dirname(to) }))
    // The entries beside the folders are rooms of one file each.
    .filter(({ from, to }) => from !== to && from !== 'src' && to !== 'src')
  const known = (room: string) => [
    ...new Set(rooms.flatMap(({ from, to }) => (from === room ? [to] : []))),
  ]
  const all = [...new Set(rooms.map(({ from }) => from))]
  return all.flatMap((room) =>
    known(room)
      .filter((other) => known(other).includes(room) && other < room)
      .map((other) => `${room} and ${other} import each other`),
  )
}

/** Folders of src/ with more lines than the table of ARCHITECTURE.md gives them, or that it does not have. */
export function budgetProblems(sources: Files, page: string): string[] {
  const budgets = new Map(
    [...page.matchAll(/^\| `([^`]+)` \| ([\d,]+) \|/gm)].map(([, room = '', lines = '']) => [
      room,
      Number(lines.replace(',', '')),
    ]),
  )
  const sizes = new Map<string, number>()
  for (const [path, text] of sources) {
    const room = layerOf(path)
    sizes.set(room, (sizes.get(room) ?? 0) + text.split('\n').length - 1)
  }
  return [...sizes].flatMap(([room, lines]) => {
    const most = budgets.get(room) ?? 0
    return lines > most
      ? [`src/${room} has ${lines} lines, and ARCHITECTURE.md gives it ${most}`]
      : []
  })
}

/** The files whose imports lead to one of those that are named, over however many others. */
export function filesLeadingTo(named: readonly string[], files: Files): string[] {
  const imports = importsOf(files)
  const found = new Set(named)
  for (const file of found) {
    for (const { from, to } of imports) if (to === file) found.add(from)
  }
  return [...found]
}

/** What the pure folders must not know: clocks, randomness, the process, the network. */
export function purityProblems(files: Files): string[] {
  return linesOf(files, (path) => pure.includes(layerOf(path)))
    .filter(({ line }) => impurities.test(line.replace(/^\s*(\/?\*|\/\/).*/, '')))
    .map(({ at, line }) => `${at} is not pure: ${line.trim()}`)
}

/** Files that have outgrown their room. */
export function sizeProblems(files: Files, linesMax: number): string[] {
  return [...files]
    .map(([path, text]) => ({ path, lines: text.split('\n').length - 1 }))
    .filter(({ lines }) => lines > linesMax)
    .map(({ path, lines }) => `${path} has ${lines} lines, more than ${linesMax}`)
}

/** Markers of unfinished work, and tests that are switched off or that switch others off. */
export function leftoverProblems(files: Files): string[] {
  const leftover = new RegExp(
    ['TO' + 'DO', 'FIX' + 'ME', String.raw`\.(only|skip|todo)\(`].join('|'),
  )
  return linesOf(files, () => true)
    .filter(({ line }) => leftover.test(line))
    .map(({ at, line }) => `${at} leaves something over: ${line.trim()}`)
}

/** Relative links in Markdown that lead nowhere: to no file, or to no heading of a page. */
export function linkProblems(pages: Files, exists: (path: string) => boolean): string[] {
  return [...pages].flatMap(([path, text]) =>
    [...text.matchAll(/\]\(([^)#\s]*)#?([^)\s]*)\)/g)]
      .map(([, file = '', heading = '']) => ({ file, heading }))
      .filter(({ file }) => !/^[a-z]+:/.test(file))
      .filter(({ file, heading }) => {
        const target = file === '' ? path : normalize(join(dirname(path), file))
        const page = pages.get(target)
        return !exists(target) || (heading !== '' && page && !headingsOf(page).includes(heading))
      })
      .map(({ file, heading }) => `${path} links to ${file}#${heading}, which is not there`),
  )
}

/** The headings of a page, as links name them, and its anchors. */
function headingsOf(page: string): string[] {
  return [...page.matchAll(/^#+ (.*)$|<a id="(.*?)"/gm)].map(([, heading, anchor]) =>
    (heading ?? anchor ?? '')
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  )
}

interface Import {
  readonly from: string
  readonly to: string
}

function importsOf(files: Files): Import[] {
  return [...files].flatMap(([from, text]) =>
    [...text.matchAll(/(?<!')\b(?:from|import)\s*\(?\s*'([^'\n]+)'/g)].map((match) => {
      const target = match[1] ?? ''
      return { from, to: target.startsWith('.') ? normalize(join(dirname(from), target)) : target }
    }),
  )
}

function layerOf(path: string): string {
  return path.split('/')[1] ?? ''
}

function linesOf(files: Files, includes: (path: string) => boolean) {
  return [...files]
    .filter(([path]) => includes(path))
    .flatMap(([path, text]) =>
      text.split('\n').map((line, index) => ({ at: `${path}:${index + 1}`, line })),
    )
}
