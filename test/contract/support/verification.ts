/** The provider's side of a pact: a stock verifier, which is the plain official core in a process of its own. */
import { fork } from 'node:child_process'
import { once } from 'node:events'

/** What came of a verification. */
export interface Outcome {
  readonly isVerified: boolean
  readonly interactions: number
  /** The descriptions of the interactions that failed. */
  readonly failed: readonly string[]
  readonly errors: readonly unknown[]
}

const program = new URL('verifier-process.mjs', import.meta.url)

/** Verifies what a broker has for the provider, and has the verifier publish what came of it; `token` is for both. */
export async function verifyFromBroker(
  providerUrl: string,
  broker: string,
  token?: string,
): Promise<Outcome> {
  const args = token === undefined ? [providerUrl, broker] : [providerUrl, broker, token]
  const child = fork(program, args, { silent: true, env: quietEnvironment() })
  let printed = ''
  child.stderr?.on('data', (chunk) => {
    printed += chunk
  })
  child.stdout?.resume()
  const answered = once(child, 'message').then(([outcome]) => outcome as Outcome)
  const ended = once(child, 'exit').then(() => null)
  const outcome = await Promise.race([answered, ended])
  if (outcome === null) throw new Error(`The verifier ended without an answer: ${printed}`)
  await ended
  return outcome
}

/** The core reports its use unless told not to, and would look for the provider behind a proxy. */
function quietEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/_proxy$/i.test(name))
  return { ...Object.fromEntries(kept), PACT_DO_NOT_TRACK: 'true' }
}
