/** Failures of the environment: nothing is said of a pact by them. */
import { createRequire } from 'node:module'

/** What a verification needs is not there; the message says what and why. */
export class CannotVerify extends Error {
  override readonly name = 'CannotVerify'
}

/**
 * Looks whether a package is there that is installed beside this one, by those who need it. Throws `CannotVerify`,
 * saying how to add it, where it is missing.
 */
export function requireOptional(name: keyof typeof optional): void {
  try {
    createRequire(import.meta.url).resolve(name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') {
      throw new CannotVerify(missing(name))
    }
  }
}

/** The packages that come only with what verifies or compares, and the version that they have to have. */
const optional = {
  '@pact-foundation/pact-core': '19',
  '@pactflow/openapi-pact-comparator': '1',
} as const

function missing(name: keyof typeof optional): string {
  const all = Object.entries(optional).map(([each, version]) => `${each}@${version}`)
  return `The package ${name} is missing. To check and verify pacts, add: npm install --save-dev ${all.join(' ')}`
}

/** Why something failed, as deep as the causes go: `fetch failed` alone says nothing. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code } = error as NodeJS.ErrnoException
  const own = error.message === '' ? (code ?? error.name) : error.message
  return error.cause === undefined ? own : `${own} (${reasonOf(error.cause)})`
}
