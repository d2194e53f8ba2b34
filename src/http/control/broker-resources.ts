/**
 * The broker's resources in HAL, which a verifier follows link by link. Owns their addresses; every one is absolute,
 * because verifiers do not resolve others.
 */
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import * as z from 'zod'
import {
  consumerOf,
  type PactName,
  type PublishedPact,
  type VerificationResult,
} from '../../pacts/published-pacts.ts'
import type { Marks, VersionName } from '../../pacts/versions.ts'
import { snakeKeys } from '../../wire/case.ts'
import type { Hal, WireCheck, WirePublishedPact, WireResultResource } from '../../wire/pact.ts'

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

/** The path of a consumer or provider. */
export function pacticipantPath(pacticipant: string): string {
  return `${BROKER}/pacticipants/${encodeURIComponent(pacticipant)}`
}

/** The path of a version of a consumer or provider. */
export function versionPath({ pacticipant, number }: VersionName): string {
  return `${pacticipantPath(pacticipant)}/versions/${encodeURIComponent(number)}`
}

/** The links that a verifier asks for first. */
export function presentIndex(base: string): Hal {
  const url = `${base}${BROKER}`
  const pacts = `${url}/pacts/provider/{provider}`
  const pact = `${pacts}/consumer/{consumer}/version/{consumerApplicationVersion}`
  const version = `${url}/pacticipants/{pacticipant}/versions/{version}`
  const template = (href: string, title: string) => ({ href, title, templated: true })
  return {
    _links: {
      self: { href: url, title: 'The pacts that were published to this sandbox' },
      'pb:provider-pacts-for-verification': template(
        `${pacts}/for-verification`,
        'The pacts of a provider to verify',
      ),
      'pb:latest-pact-versions': { href: `${url}/pacts/latest`, title: 'The newest pacts' },
      'pb:latest-provider-pacts': template(`${pacts}/latest`, 'The newest pacts of a provider'),
      'pb:latest-provider-pacts-with-tag': template(
        `${pacts}/latest/{tag}`,
        'The newest pacts of a provider with a tag',
      ),
      'pb:publish-pact': template(pact, 'Publish a pact'),
      'pb:publish-contracts': { href: `${url}/contracts/publish`, title: 'Publish pacts' },
      'pb:pacticipant': template(`${url}/pacticipants/{pacticipant}`, 'A consumer or provider'),
      'pb:pacticipant-version': template(version, 'A version of a consumer or provider'),
      'pb:pacticipant-version-tag': template(`${version}/tags/{tag}`, 'Tag a version'),
      'pb:pacticipant-branch-version': template(
        `${url}/pacticipants/{pacticipant}/branches/{branch}/versions/{version}`,
        'Put a version on a branch',
      ),
    },
  }
}

/** A consumer or provider, and where its versions are put on a branch and tagged. */
export function presentPacticipant(base: string, name: string): Hal {
  const url = `${base}${pacticipantPath(name)}`
  const template = (path: string, title: string) => ({ href: url + path, title, templated: true })
  return {
    name,
    _links: {
      self: { href: url, title: 'Consumer or provider', name },
      'pb:version': template('/versions/{version}', 'A version'),
      'pb:version-tag': template('/versions/{version}/tags/{tag}', 'Tag a version'),
      'pb:branch-version': template(
        '/branches/{branch}/versions/{version}',
        'Put a version on a branch',
      ),
    },
  }
}

/** The newest pacts of a provider, as links. */
export function presentLatest(base: string, path: string, pacts: readonly PublishedPact[]): Hal {
  const links = pacts.map((pact) => ({
    href: `${base}${pactPath(pact)}`,
    title: titleOf(pact),
    name: pact.consumer,
  }))
  // Verifiers look under either name.
  return { _links: { self: { href: `${base}${path}` }, 'pb:pacts': links, pacts: links } }
}

/** The newest pacts of all, with consumer and provider, as a command line prints them. */
export function presentLatestOfAll(base: string, pacts: readonly PublishedPact[]): Hal {
  return {
    _links: { self: { href: `${base}${BROKER}/pacts/latest` } },
    pacts: pacts.map((pact) => ({
      createdAt: pact.at,
      _links: { self: [{ href: `${base}${pactPath(pact)}`, name: titleOf(pact) }] },
      _embedded: {
        consumer: {
          ...presentPacticipant(base, pact.consumer),
          _embedded: { version: { number: pact.version } },
        },
        provider: presentPacticipant(base, pact.provider),
      },
    })),
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
  const self = pactLink(base, pact)
  return {
    _links: {
      self,
      'pb:consumer': partyLink(base, pact.consumer),
      'pb:provider': partyLink(base, pact.provider),
      'pb:consumer-version': versionLink(base, consumerOf(pact)),
      'pb:publish-verification-results': {
        href: `${self.href}/verification-results`,
        title: 'Publish what a verification came to',
      },
    },
  }
}

function pactLink(base: string, pact: PactName) {
  return { href: `${base}${pactPath(pact)}`, title: 'Pact', name: titleOf(pact) }
}

function partyLink(base: string, name: string) {
  return { href: `${base}${pacticipantPath(name)}`, title: 'Consumer or provider', name }
}

function versionLink(base: string, version: VersionName) {
  return { href: `${base}${versionPath(version)}`, title: 'Version', name: version.number }
}

/** What a publication came to: whose version it was, its pacts, and notices. */
export function presentPublication(base: string, { version, marks, pacts }: Publication): Hal {
  const { pacticipant: name, number } = version
  const [party, own] = [partyLink(base, name), versionLink(base, version)]
  const named = pacts.map((pact) => ({ ...pact, version: number }))
  return {
    _embedded: {
      pacticipant: { name, _links: { self: party } },
      version: { number, _links: { self: own } },
    },
    _links: {
      'pb:pacticipant': party,
      'pb:pacticipant-version': own,
      'pb:pacticipant-version-tags': marks.tags.map((tag) => ({
        href: `${own.href}/tags/${encodeURIComponent(tag)}`,
        title: 'Tag',
        name: tag,
      })),
      'pb:contracts': named.map((pact) => pactLink(base, pact)),
    },
    logs: [],
    notices: presentNotices(named),
  }
}

/** What a verification came to, as it was stored. */
export function presentResult(
  base: string,
  pact: PactName,
  result: VerificationResult,
): WireResultResource {
  const href = `${base}${pactPath(pact)}/verification-results/${result.number}`
  const shown = snakeKeys(result) as WirePublishedPact['results'][number]
  return { ...shown, _links: { self: { href, title: 'Verification result' } } }
}

/** A published pact in a list, with the branches and tags of its version. */
export function presentPublished(pact: PublishedPact, marks: Marks): WirePublishedPact {
  const { results, provider, consumer, version, at } = pact
  const { branches, tags } = marks
  const shown = results.map((result) => snakeKeys(result)) as WirePublishedPact['results']
  return { provider, consumer, version, branches, tags, at, results: shown }
}

/** Pacts that were just published, and what was found in them. */
interface Publication {
  readonly version: VersionName
  readonly marks: Marks
  readonly pacts: readonly (Omit<PactName, 'version'> & { readonly check: WireCheck })[]
}

/** What was found in pacts that were just published, as notices that a command line shows. */
function presentNotices(checked: readonly (PactName & { readonly check: WireCheck })[]) {
  return checked.flatMap(({ check, ...name }) => [
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
