/**
 * Builds dist, unless it is built from what is here: bundles src with what it runs on, because a start would otherwise
 * spend most of its time on finding and reading some hundred small modules. A build has a folder to itself in dist, which
 * no later build changes: a server goes on reading its own (docs/decisions/0028-library-and-package.md).
 */
import { createHash } from 'node:crypto'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import './node-version.mjs'

const root = fileURLToPath(new URL('../', import.meta.url))
const dist = join(root, 'dist')

/** What a build is made from. The lock file stands for the packages. */
const inputs = [
  'src',
  'scripts',
  'fixtures',
  'package.json',
  'package-lock.json',
  ...configurations(),
]

/** The link to the newest build, for what runs from src. npm packs no links. */
const CURRENT = 'current'

/** Has npm pack nothing of a folder. It is in a build that is not finished, or not the newest. */
const UNPACKED = '.npmignore'

/** How long a build stays after a newer one: somebody may run it. */
const KEPT_MS = 7 * 24 * 60 * 60 * 1000

const name = `build-${hashOf(inputs)}`
if (newest() !== name || !existsSync(join(dist, CURRENT, 'cli/main.js'))) await buildAside()

/** Makes a whole dist in a folder aside, then moves its parts to their places, the newest build before what names it. */
async function buildAside() {
  // Loaded here, because a build that is not made needs none of it.
  const { bundle } = await import('./bundle.mjs').catch(refuseMissing)
  mkdirSync(dist, { recursive: true })
  const aside = mkdtempSync(join(dist, 'unfinished-'))
  try {
    mkdirSync(join(aside, name))
    markUnpacked(aside)
    await bundle({ root, folder: aside, name })
    symlinkSync(name, join(aside, CURRENT))
    moveUnlessThere(join(aside, name), join(dist, name))
    const files = readdirSync(aside).filter((each) => ![name, UNPACKED].includes(each))
    for (const each of files) moveInto(join(aside, each), join(dist, each))
    sweep(new Set(files), aside)
  } finally {
    rmSync(aside, { recursive: true, force: true })
  }
}

/** Says what installs the packages of a build: where NODE_ENV is production, npm leaves them out. */
function refuseMissing(error) {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
  process.stderr.write(
    `A build needs packages that are not installed; npm ci --include=dev installs them. ${error.message}\n`,
  )
  process.exit(3)
}

/** Where it is there already, another build made the same of the same. */
function moveUnlessThere(from, to) {
  try {
    renameSync(from, to)
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST'].includes(error.code)) throw error
  }
}

/** Moves a file in place of another; of a folder, each file. */
function moveInto(from, to) {
  if (!lstatSync(from).isDirectory()) return renameSync(from, to)
  mkdirSync(to, { recursive: true })
  for (const each of readdirSync(from)) moveInto(join(from, each), join(to, each))
}

/** Leaves the newest build to be packed alone, and moves what nobody runs any more to a folder that is removed. */
function sweep(files, removed) {
  const current = newest()
  rmSync(join(dist, current, UNPACKED), { force: true })
  for (const each of readdirSync(dist)) {
    if (each === current || files.has(each)) continue
    const marked = statSync(join(dist, each, UNPACKED), { throwIfNoEntry: false })
    const isOurs = /^(?:build|unfinished)-/.test(each)
    const isOld = marked !== undefined && Date.now() - marked.mtimeMs > KEPT_MS
    const isNew = marked === undefined && each.startsWith('build-')
    // Moved as a whole: another build at the same time sees all of it or nothing.
    if (!isOurs || isOld)
      unlessGone(() => renameSync(join(dist, each), join(removed, `old-${each}`)))
    else if (isNew) unlessGone(() => markUnpacked(join(dist, each)))
  }
}

function unlessGone(work) {
  try {
    work()
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
  }
}

function markUnpacked(folder) {
  writeFileSync(join(folder, UNPACKED), '*\n')
}

/** The name of the newest build; null where there is none. */
function newest() {
  try {
    return readlinkSync(join(dist, CURRENT))
  } catch {
    return null
  }
}

function configurations() {
  return readdirSync(root).filter((each) => /^tsconfig.*\.json$/.test(each))
}

/** A hash of the names and the contents of files, and of those in folders. Times say nothing: git sets them anew. */
function hashOf(paths) {
  const hash = createHash('sha256')
  const add = (path) => {
    const full = join(root, path)
    if (statSync(full).isDirectory()) {
      for (const each of readdirSync(full).sort()) add(`${path}/${each}`)
    } else {
      const bytes = readFileSync(full)
      hash.update(`${path} ${bytes.length}\n`).update(bytes)
    }
  }
  paths.forEach(add)
  return hash.digest('hex').slice(0, 12)
}
