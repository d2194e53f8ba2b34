/** The provider's side of a pact: runs the plain official core against a provider, in a process of its own. */
import { fork } from 'node:child_process'
import { once } from 'node:events'

/** What came of verifying one file. */
export interface Outcome {
  readonly file: string
  readonly isVerified: boolean
  readonly interactions: number
  /** The descriptions of the interactions that failed. */
  readonly failed: readonly string[]
  readonly errors: readonly string[]
}

const program = new URL('verifier-process.mjs', import.meta.url)

/** Verifies pact files against a provider that has the sandbox's provider states. */
export function verify(
  providerBaseUrl: string,
  files: readonly string[],
): Promise<readonly Outcome[]> {
  return outcomesOf({ providerBaseUrl, files, broker: null })
}

/** Verifies what a broker has for the provider, and has the verifier publish what came of it. */
export async function verifyFromBroker(providerBaseUrl: string, broker: string): Promise<Outcome> {
  const [outcome] = await outcomesOf({ providerBaseUrl, files: [], broker })
  if (outcome === undefined) throw new Error('The verifier told nothing')
  return outcome
}

interface Job {
  readonly providerBaseUrl: string
  readonly files: readonly string[]
  /** The address of a broker to take pacts from as well; null for none. */
  readonly broker: string | null
}

async function outcomesOf(job: Job): Promise<readonly Outcome[]> {
  const child = fork(program, { silent: true, env: quietEnvironment() })
  let errors = ''
  child.stderr?.on('data', (chunk) => {
    errors += chunk
  })
  child.stdout?.resume()
  child.send(job)
  const [outcomes] = await Promise.race([once(child, 'message'), failed(child, () => errors)])
  await once(child, 'exit')
  return outcomes as readonly Outcome[]
}

async function failed(child: ReturnType<typeof fork>, errors: () => string): Promise<never> {
  await once(child, 'exit')
  throw new Error(`The verifier ended without an answer: ${errors()}`)
}

/** The core reports its use unless told not to, and would look for the provider behind a proxy. */
function quietEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/_proxy$/i.test(name))
  return { ...Object.fromEntries(kept), PACT_DO_NOT_TRACK: 'true' }
}
