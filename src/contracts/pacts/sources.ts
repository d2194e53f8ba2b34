/**
 * Where pacts are read from: files, folders, patterns, and the addresses that the user gave. Owns finding and reading
 * them; what they say is read by `pact-file.ts`.
 */
import { readFile, stat } from 'node:fs/promises'
import { isAbsolute, resolve } from 'node:path'
import { glob } from 'tinyglobby'
import { CannotVerify, reasonOf } from '../common/failure.ts'
import { type PactFile, type PactProblem, readPact } from './pact-file.ts'

/** How long an address may take to answer. */
const TIMEOUT_MS = 30_000
const PACKAGES = 'node_modules'

/** A pact that can be read. */
export interface PactSource {
  readonly source: string
  readonly read: () => Promise<PactFile | readonly PactProblem[]>
}

/** The pacts that were found, and the names that match nothing. */
export interface Found {
  /** Paths and addresses, each once, in the order in which they were named. */
  readonly sources: readonly string[]
  /** What was named and matches nothing. */
  readonly missing: readonly string[]
}

/** Finds the pacts that files, folders, patterns and addresses name. Rejects an address with a password. */
export async function findPacts(named: readonly string[]): Promise<Found> {
  const matches = await Promise.all(named.map(async (each) => ({ each, paths: await match(each) })))
  const once = new Map<string, string>()
  for (const path of matches.flatMap(({ paths }) => paths)) {
    const place = isAddress(path) ? path : resolve(path)
    once.set(place, once.get(place) ?? path)
  }
  return {
    sources: [...once.values()],
    missing: matches.filter(({ paths }) => paths.length === 0).map(({ each }) => each),
  }
}

/** Reads a pact, or says why it cannot be read. Rejects with `CannotVerify` when an address cannot be reached. */
export async function readSource(source: string): Promise<PactFile | readonly PactProblem[]> {
  const text = isAddress(source) ? await fetched(source) : await fileText(source)
  if (typeof text !== 'string') return [text]
  // Some editors begin a file with a mark of its byte order, which is not JSON.
  return readPact(source, text.replace(/^\uFEFF/, ''))
}

function isAddress(named: string): boolean {
  return /^https?:\/\//i.test(named)
}

/** An address is shown in every report. Throws `CannotVerify` for one that holds a password. */
function withoutPassword(address: string): string {
  const authority = /^https?:\/\/[^/?#]*/i.exec(address)?.[0] ?? ''
  if (!authority.includes('@')) return address
  const shown = address.replace(/^(https?:\/\/)[^/?#]*@/i, '$1...@')
  throw new CannotVerify(
    `The address of a pact must be without a user and a password; got ${shown}.`,
  )
}

async function match(named: string): Promise<string[]> {
  if (isAddress(named)) return [withoutPassword(named)]
  const found = await stat(named).catch(() => null)
  if (found?.isFile()) return [named]
  if (!found?.isDirectory()) return globbed(named, process.cwd())
  const folder = named.replace(/[\\/]+$/, '')
  return (await globbed('**/*.json', named)).map((path) => `${folder}/${path}`)
}

async function globbed(pattern: string, cwd: string): Promise<string[]> {
  const absolute = isAbsolute(pattern)
  const paths = await glob(pattern, { cwd, absolute, expandDirectories: false })
  // Pacts of other packages count only if the pattern names that folder.
  const isMeant = (path: string) => pattern.includes(PACKAGES) || !path.includes(`${PACKAGES}/`)
  return paths.filter(isMeant).sort()
}

async function fileText(path: string): Promise<string | PactProblem> {
  return readFile(path, 'utf8').catch((error: unknown) =>
    unreadable(`The file cannot be read: ${reasonOf(error)}.`),
  )
}

async function fetched(url: string): Promise<string | PactProblem> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const headers = { Accept: 'application/hal+json, application/json' }
  try {
    const answer = await fetch(url, { signal, headers })
    const text = await answer.text()
    return answer.ok ? text : unreadable(`The address answered ${answer.status}.`)
  } catch (error) {
    throw new CannotVerify(`${url} cannot be reached: ${reasonOf(error)}.`)
  }
}

function unreadable(message: string): PactProblem {
  return { line: 1, column: 1, message }
}
