/**
 * Where pacts are read from: files, folders, patterns, and the addresses that the user gave. Owns finding and reading
 * them; what they say is read by `pact-file.ts`.
 */
import { readFile, stat } from 'node:fs/promises'
import { isAbsolute, resolve } from 'node:path'
import { glob } from 'tinyglobby'
import { CannotVerify, reasonOf } from '../common/failure.ts'
import { type PactFile, type PactProblem, problemsOfFile, readPact } from './pact-file.ts'

/** How long an address may take to answer. */
const TIMEOUT_MS = 30_000
const PACKAGES = 'node_modules'

/** A pact that can be read. */
export interface PactSource {
  readonly source: string
  readonly read: () => Promise<PactFile | readonly PactProblem[]>
}

/**
 * Finds the pacts that files, folders, patterns and addresses name: each once, in the order in which they were named; and
 * what matches nothing. Rejects an address with a password.
 */
export async function findPacts(named: readonly string[]) {
  const matches = await Promise.all(
    named.map(async (each) => ({ each, paths: await findPaths(each) })),
  )
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
  const failure = (error: unknown) => problemsOfFile(`The file cannot be read: ${reasonOf(error)}.`)
  const reading = isAddress(source) ? fetchText(source) : readFile(source, 'utf8').catch(failure)
  const text = await reading
  if (typeof text !== 'string') return text
  // Some editors begin a file with a mark of its byte order, which is not JSON.
  return readPact(sourceName(source), text.replace(/^\uFEFF/, ''))
}

/** A source as reports show it: the query of an address may have a token. */
export function sourceName(source: string): string {
  return isAddress(source) ? source.replace(/\?.*/s, '?...') : source
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

async function findPaths(named: string): Promise<string[]> {
  if (isAddress(named)) return [withoutPassword(named)]
  const found = await stat(named).catch(() => null)
  if (found?.isFile()) return [named]
  if (!found?.isDirectory()) return findByPattern(named, process.cwd())
  const folder = named.replace(/[\\/]+$/, '')
  return (await findByPattern('**/*.json', named)).map((path) => `${folder}/${path}`)
}

async function findByPattern(pattern: string, cwd: string): Promise<string[]> {
  const absolute = isAbsolute(pattern)
  const paths = await glob(pattern, { cwd, absolute, expandDirectories: false })
  // Pacts of other packages count only if the pattern names that folder.
  const isMeant = (path: string) => pattern.includes(PACKAGES) || !path.includes(`${PACKAGES}/`)
  return paths.filter(isMeant).sort()
}

async function fetchText(url: string): Promise<string | PactProblem[]> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const headers = { Accept: 'application/hal+json, application/json' }
  try {
    const answer = await fetch(url, { signal, headers })
    const text = await answer.text()
    return answer.ok ? text : problemsOfFile(`The address answered ${answer.status}.`)
  } catch (error) {
    throw new CannotVerify(`${sourceName(url)} cannot be reached: ${reasonOf(error)}.`)
  }
}
