/**
 * The consumer's side of a pact: plays each interaction against the mock of the official library, and holds what was
 * written against the file that the repository publishes.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  PactV3,
  SpecificationVersion,
  type V3ProviderState,
  type V3Request,
  type V3Response,
} from '@pact-foundation/pact'
import { expect } from 'vitest'

process.env['PACT_DO_NOT_TRACK'] = 'true'

/** Where the published pacts are: what is documented, and below it what is assumed. */
export const PUBLISHED = 'contracts/pacts'
export const PROVIDER = 'subscription-service'

/** One request, the state it is made in, and the answer that the consumer relies on. */
export interface Interaction {
  readonly given: readonly V3ProviderState[]
  readonly request: V3Request
  readonly answer: V3Response
}

/** A consumer whose tests are running. */
export interface Consumer {
  /** Runs the client against a mock that answers as the interaction says, and writes the interaction down. */
  readonly plays: (
    description: string,
    interaction: Interaction,
    call: (baseUrl: string) => Promise<void>,
  ) => Promise<void>
  /** Fails where what was written is not, byte for byte, what is published. */
  readonly expectPublished: () => Promise<void>
  readonly close: () => Promise<void>
}

/** Opens a consumer's pact: in a folder of its own, or where `npm run pacts` says. */
export async function consumerOf(
  consumer: string,
  set: 'documented' | 'assumed',
): Promise<Consumer> {
  const below = set === 'assumed' ? 'assumed' : '.'
  const own = await mkdtemp(join(tmpdir(), 'pacts-'))
  const dir = join(process.env['PACTS_FOLDER'] ?? own, below)
  const name = `${consumer}-${PROVIDER}.json`
  const pact = new PactV3({
    consumer,
    provider: PROVIDER,
    dir,
    spec: SpecificationVersion.SPECIFICATION_VERSION_V4,
    logLevel: 'error',
  })
  return {
    async plays(description, { given, request, answer }, call) {
      const states = given.map((state) => ({ ...state }))
      pact.addInteraction({
        states,
        uponReceiving: description,
        withRequest: request,
        willRespondWith: answer,
      })
      await pact.executeTest(({ url }) => call(url))
    },
    async expectPublished() {
      const written = await readFile(join(dir, name), 'utf8')
      expect(written).toBe(await readFile(join(PUBLISHED, below, name), 'utf8'))
    },
    close: () => rm(own, { recursive: true, force: true }),
  }
}
