/** Failures of the environment, which say nothing about a pact. */
import { createRequire } from 'node:module'

/** Something that a verification needs is missing; the message says what and why. */
export class CannotVerify extends Error {
  override readonly name = 'CannotVerify'
}

/**
 * Checks that an optional package is installed. Throws `CannotVerify` with the command that adds it.
 */
export function requireOptional(name: keyof typeof optional): void {
  try {
    createRequire(import.meta.url).resolve(name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') {
      const all = Object.entries(optional).map(([each, version]) => `${each}@${version}`)
      throw new CannotVerify(
        `The package ${name} is missing. To check and verify pacts, add: npm install --save-dev ${all.join(' ')}`,
      )
    }
  }
}

/** The packages that only verifying and comparing need, and their versions. */
const optional = {
  '@pact-foundation/pact-core': '19',
  '@pactflow/openapi-pact-comparator': '1',
} as const

/** Why something failed, with all causes: `fetch failed` alone is no help. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code } = error as NodeJS.ErrnoException
  const own = error.message === '' ? (code ?? error.name) : error.message
  return error.cause === undefined ? own : `${own} (${reasonOf(error.cause)})`
}
