/** Failures of the surroundings: nothing is said of a pact by them. */

/** What a verification needs is not there; the message says what and why. */
export class CannotVerify extends Error {
  override readonly name = 'CannotVerify'
}

/** Why something failed, as deep as the causes go: `fetch failed` alone says nothing. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code } = error as NodeJS.ErrnoException
  const own = error.message === '' ? (code ?? error.name) : error.message
  return error.cause === undefined ? own : `${own} (${reasonOf(error.cause)})`
}
