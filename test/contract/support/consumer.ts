/**
 * The consumer's side of a pact: plays each interaction against the mock of the official library, and holds what was
 * written against the file that the repository publishes.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import {
  PactV3,
  SpecificationVersion,
  type V3ProviderState,
  type V3Request,
  type V3Response,
} from '@pact-foundation/pact'
import type { ConsumerPact } from '@pact-foundation/pact-core'
import { expect } from 'vitest'

process.env['PACT_DO_NOT_TRACK'] = 'true'

/** Where the published pacts are: what is documented, and below it what is assumed. */
export const PUBLISHED = 'contracts/pacts'
const PROVIDER = 'subscription-service'

/** How long the mock may take to note a request. */
const PATIENCE_MS = 5_000

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
      await pact.executeTest(async ({ url, port }) => {
        await call(url)
        await untilNoted(pact['pact'], port)
      })
    },
    async expectPublished() {
      const written = await readFile(join(dir, name), 'utf8')
      expect(written).toBe(await readFile(join(PUBLISHED, below, name), 'utf8'))
    },
    close: () => rm(own, { recursive: true, force: true }),
  }
}

/**
 * Waits until the mock has noted the request that it has answered. It does so in this order, so that asking at once
 * whether the request came is now and then answered with no.
 */
async function untilNoted(mock: ConsumerPact, port: number): Promise<void> {
  const giveUpAt = Date.now() + PATIENCE_MS
  const isAwaited = () =>
    !mock.mockServerMatchedSuccessfully(port) &&
    mock
      .mockServerMismatches(port)
      .every((result) => 'type' in result && result.type === 'missing-request')
  while (isAwaited() && Date.now() < giveUpAt) await setTimeout(2)
}
