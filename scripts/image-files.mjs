/**
 * Copies packages and all that they need at run time to another folder, for the image: without source maps, types,
 * documents and tests, and without what was built for other machines. Licences stay.
 *   node scripts/image-files.mjs TARGET PACKAGE...
 */
import { cpSync, existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'

const [target, ...asked] = process.argv.slice(2)
if (target === undefined || asked.length === 0) {
  throw new Error('usage: node scripts/image-files.mjs TARGET PACKAGE...')
}

const unused = /\.(?:map|md|markdown|d\.[cm]?ts|c|cc|h|bare|tsbuildinfo)$/
const unusedFolder =
  /^(?:tests?|__tests__|docs?|examples?|bench(?:marks?)?|fixtures|\.github|include)$/
const licence = /^(?:licen[cs]e|notice|copying)/i
const platform = `${process.platform}-${process.arch}`

const copied = new Set()
for (const name of asked) copyPackage(name, process.cwd(), true)

/** Copies a package that is found from a folder, once, and what it needs. An optional one may be missing. */
function copyPackage(name, from, isRequired) {
  const folder = folderOf(name, from)
  if (folder === null && isRequired) throw new Error(`${name} is not installed`)
  if (folder === null || copied.has(folder)) return
  copied.add(folder)
  const filter = (path) => isUsed(path, folder)
  cpSync(folder, join(target, relative(process.cwd(), folder)), { recursive: true, filter })
  const { dependencies, optionalDependencies } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  )
  for (const each of Object.keys({ ...dependencies })) copyPackage(each, folder, true)
  for (const each of Object.keys({ ...optionalDependencies })) copyPackage(each, folder, false)
}

/** Where Node finds a package from a folder; null where it is not installed. */
function folderOf(name, from) {
  for (let each = from; ; each = dirname(each)) {
    const folder = join(each, 'node_modules', name)
    if (existsSync(join(folder, 'package.json'))) return folder
    if (each === dirname(each)) return null
  }
}

function isUsed(path, folder) {
  const inside = relative(folder, path)
  const name = basename(path)
  if (inside === '' || licence.test(name)) return true
  // Nested packages are copied where somebody needs them.
  if (name === 'node_modules' || unused.test(name)) return false
  const [first, second] = inside.split(sep)
  if (first === 'prebuilds' && second !== undefined) return second.startsWith(platform)
  return !unusedFolder.test(name)
}
