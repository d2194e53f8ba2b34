/**
 * Which fixtures a process has, and which one its default sandbox begins with: those that come with the product, and
 * those of the user, which are named by a file, a folder, or by convention. A fixture is called like its file.
 */
import { readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { isRefusal, refuse } from '../billing/refusal.ts'
import type { Fixture } from '../sandbox/fixture-format.ts'
import { type FixtureLibrary, loadFixtures, SCHEMA_SUFFIX } from '../sandbox/fixtures.ts'
import { fileErrorText } from '../store/files.ts'
import { FixtureName } from '../wire/common/fields.ts'
import type { Refusal } from '../world/refusal.ts'
import { notFound } from '../world/results.ts'

export interface FixtureChoice {
  readonly library: FixtureLibrary
  /** What the default sandbox begins with; null where nobody asked. */
  readonly name: string | null
  /** The file that it was read from; null for one that comes with the product. */
  readonly file: string | null
}

/** The start was asked for something impossible: the message names the value and the rule. */
export class StartRefused extends Error {
  override readonly name = 'StartRefused'
}

const extension = /\.(?:ya?ml|json)$/
const conventional = ['sandbox.fixture.yaml', 'sandbox.fixture.yml', 'sandbox.fixture.json']

/** What the first one of a folder is called, whatever else is there. */
const FIRST = 'default'

/** The most files that are read of one folder. */
const FILES_MAX = 200

/** The file that is used by convention, of a folder; null if there is none. Throws `StartRefused` for two, and for a folder. */
export async function conventionalFixture(folder = '.'): Promise<string | null> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const names = new Map(entries.map((entry) => [entry.name, entry]))
  const [found, second] = conventional.filter((name) => names.has(name))
  if (found === undefined) return null
  if (names.get(found)?.isDirectory())
    throw new StartRefused(`${join(folder, found)} must be a file; it is a folder.`)
  if (second === undefined) return folder === '.' ? found : join(folder, found)
  throw new StartRefused(
    `There are ${found} and ${second}, of which only one can be used; remove or rename the other.`,
  )
}

/** What `--fixture` names: a fixture that comes with the product, a file, or a folder of files. */
export async function chooseFixture(asked: string | null): Promise<FixtureChoice | Refusal> {
  const shipped = await loadFixtures()
  if (asked === null || shipped.has(asked)) return { library: shipped, name: asked, file: null }
  const files = await filesOf(asked)
  if (isRefusal(files)) return files
  if (files === null) return unknownFixture(asked, shipped)
  const named = namesOf(files, shipped)
  if (isRefusal(named)) return named
  const library = await read(named)
  if (isRefusal(library)) return library
  const name = library.has(FIRST) ? FIRST : ([...library.keys()][0] ?? null)
  const file = name === null ? null : (named.get(name) ?? null)
  return { library: new Map([...shipped, ...library]), name, file }
}

/** The files of fixtures at a path, by name; null where nothing is there. */
function filesOf(path: string): Promise<readonly string[] | null | Refusal> {
  return filesAt(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null
    return refuse('invalid_request', `--fixture ${path} cannot be read: ${fileErrorText(error)}.`)
  })
}

async function filesAt(path: string): Promise<readonly string[] | Refusal> {
  const found = await stat(path)
  if (found.isFile()) return [path]
  // To read a pipe waits for its writer, and nothing could end that.
  if (!found.isDirectory()) {
    return refuse('invalid_request', `--fixture ${path} must be a regular file or a folder.`)
  }
  const entries = await readdir(path, { withFileTypes: true })
  const names = entries
    .flatMap((entry) => (entry.isDirectory() ? [] : entry.name))
    .filter((name) => extension.test(name) && !name.endsWith(SCHEMA_SUFFIX))
  if (names.length > 0 && names.length <= FILES_MAX) {
    return names.sort().map((name) => join(path, name))
  }
  return refuse(
    'invalid_request',
    `--fixture ${path} must be a folder with 1 to ${FILES_MAX} files .yaml, .yml or .json; it has ${names.length}.`,
  )
}

function unknownFixture(asked: string, shipped: FixtureLibrary): Refusal {
  const isFile = extension.test(asked) || /[\\/]/.test(asked)
  const why = `fixture ${asked}: there is no such file or folder.`
  return refuse('not_found', `--${isFile ? why : notFound(shipped, 'fixture', asked).message}`)
}

/** Each file under the name of its fixture. */
function namesOf(
  files: readonly string[],
  shipped: FixtureLibrary,
): ReadonlyMap<string, string> | Refusal {
  const named = new Map<string, string>()
  for (const file of files) {
    const name = nameOf(file)
    const other = named.get(name) ?? (shipped.has(name) ? 'one that comes with the sandbox' : null)
    if (!FixtureName.safeParse(name).success)
      return nameRefusal(file, 'begin with a letter or digit')
    if (other !== null) return nameRefusal(file, `differ: "${name}" is also ${other}`)
    named.set(name, file)
  }
  return named
}

/** `deploy/My_shop.fixture.yaml` is `my-shop`. */
function nameOf(file: string): string {
  const name = basename(file)
    .replace(/(?:\.fixture)?\.(?:ya?ml|json)$/, '')
    .toLowerCase()
  return name.replace(/[^a-z0-9-]+/g, '-').slice(0, 64)
}

function nameRefusal(file: string, rule: string): Refusal {
  return refuse('invalid_request', `${file} names its fixture, and its name must ${rule}.`)
}

async function read(named: ReadonlyMap<string, string>): Promise<FixtureLibrary | Refusal> {
  // Loaded only here: most starts do without the reader of YAML.
  const { readFixture } = await import('./fixture-file.ts')
  const library = new Map<string, Fixture>()
  const problems: string[] = []
  for (const [name, file] of named) {
    const answer = await readFixture(file, name)
    if ('fixture' in answer) library.set(name, answer.fixture)
    else problems.push(...answer.problems)
  }
  return problems.length === 0 ? library : refuse('invalid_request', problems.join('\n'))
}
