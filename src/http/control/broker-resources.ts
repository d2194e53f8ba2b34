/**
 * The broker's resources in HAL, which a verifier follows link by link. Owns their addresses; every one is absolute,
 * because verifiers do not resolve others.
 */
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import * as z from 'zod'
import type { PactName, PublishedPact, VerificationResult } from '../../pacts/published-pacts.ts'
import { snakeKeys } from '../../wire/case.ts'
import type { Hal, WireCheck, WirePublishedPact } from '../../wire/pact.ts'

/** Where the broker is, on this server. */
export const BROKER = '/sandbox/broker'

/** The media type of its resources. */
export const HAL = 'application/hal+json'

/** The path of a pact. */
export function pactPath({ provider, consumer, version }: PactName): string {
  const [providerPart, consumerPart, versionPart] = [provider, consumer, version].map(
    encodeURIComponent,
  )
  return `${BROKER}/pacts/provider/${providerPart}/consumer/${consumerPart}/version/${versionPart}`
}

/** The links that a verifier asks for first. */
export function presentIndex(base: string): Hal {
  const url = `${base}${BROKER}`
  const provider = '/pacts/provider/{provider}'
  const pact = `${provider}/consumer/{consumer}/version/{consumerApplicationVersion}`
  return {
    _links: {
      self: { href: url, title: 'The pacts that were published to this sandbox' },
      'pb:provider-pacts-for-verification': {
        href: `${url}${provider}/for-verification`,
        title: 'The pacts of a provider to verify',
        templated: true,
      },
      'pb:publish-pact': { href: `${url}${pact}`, title: 'Publish a pact', templated: true },
      'pb:publish-contracts': { href: `${url}/contracts/publish`, title: 'Publish pacts' },
    },
  }
}

/** Where a verifier sends which pacts of a provider it wants. */
export function presentProvider(base: string, provider: string): Hal {
  const href = `${base}${BROKER}/pacts/provider/${encodeURIComponent(provider)}/for-verification`
  return { _links: { self: { href, title: `Pacts for ${provider} to verify` } } }
}

/** The pacts to verify, and why each of them is. */
export function presentSelection(
  base: string,
  provider: string,
  pacts: readonly PublishedPact[],
): Hal {
  return {
    ...presentProvider(base, provider),
    _embedded: { pacts: pacts.map((pact) => presentSelected(base, pact)) },
  }
}

function presentSelected(base: string, pact: PublishedPact) {
  const { consumer, version } = pact
  const text = `The newest pact of ${consumer} that was asked for is that of its version ${version}`
  return {
    shortDescription: `newest of ${consumer}`,
    verificationProperties: { pending: false, notices: [{ when: 'before_verification', text }] },
    _links: { self: { href: `${base}${pactPath(pact)}`, name: titleOf(pact) } },
  }
}

/**
 * The text of a pact without its last brace, for members to follow. Each interaction gets an identifier, which results
 * refer to.
 */
export function openText(document: object): string {
  const { _links: _, ...own } = document as { interactions?: unknown; _links?: unknown }
  const { interactions } = own
  const numbered = Array.isArray(interactions) ? { interactions: interactions.map(withId) } : {}
  return JSON.stringify({ ...own, ...numbered }).slice(0, -1)
}

/** How the text of a pact is stored: compressed, in base64, because it may be long and is only ever passed on. */
const StoredPact = z.strictObject({ gzip: z.array(z.string()).readonly() })
export type StoredPact = z.output<typeof StoredPact>

/** A pact as it is answered: its text as it was stored, and then members that follow, such as its links. */
export async function* presentPact(
  stored: object,
  members: Hal,
): AsyncGenerator<string | Uint8Array> {
  yield* Readable.from(bytesOf(StoredPact.parse(stored))).pipe(createGunzip())
  yield `,${JSON.stringify(members).slice(1)}`
}

function* bytesOf({ gzip }: StoredPact): Generator<Uint8Array> {
  for (const piece of gzip) yield Buffer.from(piece, 'base64')
}

/** The links of a pact, which a verifier follows. */
export function presentLinks(base: string, pact: PactName): Hal {
  const url = `${base}${pactPath(pact)}`
  return {
    _links: {
      self: { href: url, title: 'Pact', name: titleOf(pact) },
      'pb:publish-verification-results': {
        href: `${url}/verification-results`,
        title: 'Publish what a verification came to',
      },
    },
  }
}

/** What a verification came to, as it was stored. */
export function presentResult(base: string, pact: PactName, result: VerificationResult): Hal {
  const href = `${base}${pactPath(pact)}/verification-results/${result.number}`
  return { ...snakeKeys(result), _links: { self: { href, title: 'Verification result' } } }
}

/** A published pact in a list. */
export function presentPublished(pact: PublishedPact): WirePublishedPact {
  const { results, ...named } = pact
  return {
    ...named,
    results: results.map((result) => snakeKeys(result)) as WirePublishedPact['results'],
  }
}

/** What was found in pacts that were just published, as notices that a command line shows. */
export function presentNotices(checked: readonly { name: PactName; check: WireCheck }[]) {
  return checked.flatMap(({ name, check }) => [
    { type: check.ok ? 'success' : 'error', text: `${titleOf(name)} ${verdictOf(check)}` },
    ...check.findings.map(({ severity, interaction, message }) => ({
      type: severity === 'error' ? 'error' : 'warning',
      text: interaction === null ? message : `${interaction}: ${message}`,
    })),
    ...(check.more_findings === 0
      ? []
      : [{ type: 'warning', text: `${check.more_findings} more findings are not listed.` }]),
  ])
}

function verdictOf({ ok }: WireCheck): string {
  return ok ? 'fits the documented interface.' : 'does not fit the documented interface.'
}

function withId(interaction: unknown, index: number): unknown {
  const isObject = typeof interaction === 'object' && interaction !== null
  return isObject ? { _id: String(index + 1), ...interaction } : interaction
}

function titleOf({ provider, consumer, version }: PactName): string {
  return `Pact between ${consumer} (${version}) and ${provider}`
}
