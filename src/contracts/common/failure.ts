/** Failures of the environment, which say nothing about a pact. */
import { createRequire } from 'node:module'
import { getSystemErrorMap } from 'node:util'

/** Something that a verification needs is missing; the message says what and why. */
export class CannotVerify extends Error {
  override readonly name = 'CannotVerify'
}

/** Checks that an optional package is installed. Throws `CannotVerify` with the command that adds it. */
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

/** Why something failed, with all causes: `fetch failed` alone is no help. What the system says is in words. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code, errno = 0 } = error as NodeJS.ErrnoException
  const texts = getSystemErrorMap()
  // Where several addresses were tried, there is a code alone.
  const [, ofCode = error.name] = [...texts.values()].find(([name]) => name === code) ?? []
  const own = texts.get(errno)?.[1] ?? (error.message || ofCode)
  return error.cause === undefined ? own : `${own} (${reasonOf(error.cause)})`
}
