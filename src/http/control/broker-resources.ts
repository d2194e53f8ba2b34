/**
 * The broker's resources in HAL, which a verifier follows link by link, made of what was published to the sandbox that is
 * called. Owns their paths; the address of the server goes before each of them where they are answered.
 */
import type { Context } from 'hono'
import type { MatrixAnswer, MatrixRow } from '../../provider/matrix.ts'
import {
  consumerOf,
  type PacticipantVersion,
  type PactName,
  type Published,
  type PublishedPact,
  type PublishedPacts,
  type VerificationResult,
  type VersionName,
  withPacts,
} from '../../provider/published-pacts.ts'
import { location } from '../../surface/declarations.ts'
import { orThrow } from '../../surface/refusals.ts'
import { presentAs, snakeKeys } from '../../wire/case.ts'
import { Hal, type WireCheck, WirePublishedPact, type WireResultResource } from '../../wire/pact.ts'
import type { Refusal } from '../../world/refusal.ts'
import type { World } from '../../world/world.ts'
import { hostOf } from '../guard.ts'

export const HAL = 'application/hal+json'

const replied = { schema: Hal, mediaType: HAL, source: 'sandbox' } as const

/** The replies of an operation that returns, or stores, a resource. */
export function resource(description: string) {
  return { 200: { ...replied, description } } as const
}

export function storedResource(description: string) {
  return { 201: { ...replied, description, headers: { Location: location } } } as const
}

/** Works on what was published to the sandbox of a request. Throws what is refused. */
export async function workOnPacts<Value>(
  c: Context,
  work: (pacts: PublishedPacts, world: World) => Promise<Value | Refusal>,
): Promise<Value> {
  return orThrow<Value>(await withPacts(c.get('sandbox'), work))
}

/** All that was published to the sandbox of a request. */
export function publishedIn(c: Context): Promise<Published> {
  return workOnPacts<Published>(c, async (pacts) => pacts.list())
}

/** A resource with the address where the client reached this server in every link: verifiers resolve no others. */
export function addressed<Resource>(c: Context, body: Resource): Resource {
  const base = `http://${hostOf(c)}`
  return JSON.parse(JSON.stringify(body), (key, value) => (key === 'href' ? base + value : value))
}

/** Where the broker is, on this server. */
export const BROKER = '/sandbox/broker'

const providerAt = `${BROKER}/pacts/provider/{provider}` as const
export const allLatestAt = `${BROKER}/pacts/latest` as const
export const latestAt = `${providerAt}/latest` as const
export const taggedAt = `${latestAt}/{tag}` as const
export const selectionAt = `${providerAt}/for-verification` as const
export const publishAt = `${BROKER}/contracts/publish` as const
const consumerAt = `${providerAt}/consumer/{consumer}` as const
export const pactAt = `${consumerAt}/version/{version}` as const
export const resultsAt = `${pactAt}/verification-results` as const
export const pacticipantAt = `${BROKER}/pacticipants/{pacticipant}` as const
export const versionAt = `${pacticipantAt}/versions/{version}` as const
export const tagAt = `${versionAt}/tags/{tag}` as const
export const branchVersionAt = `${pacticipantAt}/branches/{branch}/versions/{version}` as const

export function pactPath({ provider, consumer, version }: PactName): string {
  return filled(pactAt, { provider, consumer, version })
}

export function versionPath({ pacticipant, number }: VersionName): string {
  return filled(versionAt, { pacticipant, version: number })
}

export function resultPath(pact: PactName, { number }: VerificationResult): string {
  return `${pactPath(pact)}/verification-results/${number}`
}

/** The links that a verifier asks for first. */
export const brokerIndex: Hal = {
  _links: {
    self: link(BROKER, 'The pacts that were published to this sandbox'),
    'pb:provider-pacts-for-verification': link(selectionAt, 'The pacts of a provider to verify'),
    'pb:latest-pact-versions': link(allLatestAt, 'The newest pacts'),
    'pb:latest-provider-pacts': link(latestAt, 'The newest pacts of a provider'),
    'pb:latest-provider-pacts-with-tag': link(
      taggedAt,
      'The newest pacts of a provider with a tag',
    ),
    'pb:publish-pact': link(`${consumerAt}/version/{consumerApplicationVersion}`, 'Publish a pact'),
    'pb:publish-contracts': link(publishAt, 'Publish pacts'),
    'pb:pacticipant': link(pacticipantAt, 'A consumer or provider'),
    'pb:pacticipant-version': link(versionAt, 'A version of a consumer or provider'),
    'pb:pacticipant-version-tag': link(tagAt, 'Tag a version'),
    'pb:pacticipant-branch-version': link(branchVersionAt, 'Put a version on a branch'),
  },
}

/** A consumer or provider, and where its versions are put on a branch and tagged. */
export function presentPacticipant(name: string): Hal {
  const at = (path: string) => filled(path, { pacticipant: name })
  return {
    name,
    _links: {
      self: partyLink(name),
      'pb:version': link(at(versionAt), 'A version'),
      'pb:version-tag': link(at(tagAt), 'Tag a version'),
      'pb:branch-version': link(at(branchVersionAt), 'Put a version on a branch'),
    },
  }
}

export function presentVersion(version: PacticipantVersion): Hal {
  const { pacticipant, number, branches, tags, at } = version
  const named = (names: readonly string[]) => names.map((name) => ({ name }))
  return {
    number,
    createdAt: at,
    _embedded: { branchVersions: named(branches), tags: named(tags) },
    _links: {
      self: versionLink(version),
      'pb:pacticipant': { href: filled(pacticipantAt, { pacticipant }), name: pacticipant },
      'pb:tag': link(filled(tagAt, { pacticipant, version: number }), 'Tag this version'),
    },
  }
}

/** The newest pacts of a provider, as links. */
export function presentLatest(path: string, pacts: readonly PublishedPact[]): Hal {
  const links = pacts.map((pact) => link(pactPath(pact), titleOf(pact), pact.consumer))
  // Verifiers look under either name.
  return { _links: { self: { href: path }, 'pb:pacts': links, pacts: links } }
}

/** The newest pacts of all, with consumer and provider, as a command line prints them. */
export function presentLatestOfAll(pacts: readonly PublishedPact[]): Hal {
  return {
    _links: { self: { href: allLatestAt } },
    pacts: pacts.map((pact) => ({
      createdAt: pact.at,
      _links: { self: [{ href: pactPath(pact), name: titleOf(pact) }] },
      _embedded: {
        consumer: {
          ...presentPacticipant(pact.consumer),
          _embedded: { version: { number: pact.version } },
        },
        provider: presentPacticipant(pact.provider),
      },
    })),
  }
}

/** Where a verifier sends which pacts of a provider it wants. */
export function presentProvider(provider: string): Hal {
  const self = link(filled(selectionAt, { provider }), `Pacts for ${provider} to verify`)
  return { _links: { self } }
}

/** The pacts to verify, and why each of them is. */
export function presentSelection(provider: string, pacts: readonly PublishedPact[]): Hal {
  return { ...presentProvider(provider), _embedded: { pacts: pacts.map(presentSelected) } }
}

function presentSelected(pact: PublishedPact) {
  const { consumer, version } = pact
  const text = `The newest pact of ${consumer} that was asked for is that of its version ${version}`
  return {
    shortDescription: `newest of ${consumer}`,
    verificationProperties: { pending: false, notices: [{ when: 'before_verification', text }] },
    _links: { self: { href: pactPath(pact), name: titleOf(pact) } },
  }
}

/** The links of a pact, which a verifier follows. */
export function presentLinks(pact: PactName): Hal {
  const results = filled(resultsAt, pact)
  return {
    _links: {
      self: pactLink(pact),
      'pb:consumer': partyLink(pact.consumer),
      'pb:provider': partyLink(pact.provider),
      'pb:consumer-version': versionLink(consumerOf(pact)),
      'pb:publish-verification-results': link(results, 'Publish what a verification came to'),
    },
  }
}

/** The result of a publication: whose version it was and its tags, its pacts, and notices. */
export function presentPublication(
  version: VersionName,
  tags: readonly string[],
  pacts: readonly (PactName & { readonly check: WireCheck })[],
): Hal {
  const { pacticipant, number } = version
  const [party, own] = [partyLink(pacticipant), versionLink(version)]
  const tagPath = (tag: string) => filled(tagAt, { pacticipant, version: number, tag })
  return {
    _embedded: {
      pacticipant: { name: pacticipant, _links: { self: party } },
      version: { number, _links: { self: own } },
    },
    _links: {
      'pb:pacticipant': party,
      'pb:pacticipant-version': own,
      'pb:pacticipant-version-tags': tags.map((tag) => link(tagPath(tag), 'Tag', tag)),
      'pb:contracts': pacts.map(pactLink),
    },
    logs: [],
    notices: pacts.flatMap(noticesOf),
  }
}

/** What was found in a pact that was just published, as notices that a command line shows. */
function noticesOf({ check, ...name }: PactName & { readonly check: WireCheck }) {
  const { ok, findings, more_findings: more } = check
  const verdict = `${ok ? 'fits' : 'does not fit'} the documented interface.`
  return [
    { type: ok ? 'success' : 'error', text: `${titleOf(name)} ${verdict}` },
    ...findings.map(({ severity: type, interaction, message }) => ({
      type,
      text: interaction === null ? message : `${interaction}: ${message}`,
    })),
    ...(more === 0 ? [] : [{ type: 'warning', text: `${more} more findings are not listed.` }]),
  ]
}

/** The matrix and its verdict, as `can-i-deploy` reads them. */
export function presentMatrix({ rows, summary }: MatrixAnswer) {
  const types = { true: 'success', false: 'error', null: 'warning' } as const
  const notices = [{ type: types[`${summary.deployable}`], text: summary.reason }]
  return { summary, notices, matrix: rows.map(presentRow) }
}

function presentRow({ pact, providerVersion, result }: MatrixRow) {
  const { consumer, provider, version } = pact
  const party = (name: string, number: string | null) => {
    const self = { href: versionPath({ pacticipant: name, number: number ?? '' }) }
    return { name, version: number === null ? null : { number, _links: { self } } }
  }
  return {
    consumer: party(consumer, version),
    provider: party(provider, providerVersion),
    pact: { createdAt: pact.at, _links: { self: { href: pactPath(pact) } } },
    verificationResult: result === null ? null : presentResult(pact, result),
  }
}

export function presentResult(pact: PactName, result: VerificationResult): WireResultResource {
  const self = link(resultPath(pact, result), 'Verification result')
  return { ...snakeKeys(result), _links: { self } }
}

/** A published pact in a list, with the branches and tags of its version. */
export function presentPublished(pact: PublishedPact): WirePublishedPact {
  return presentAs(WirePublishedPact, { ...pact, results: pact.results.map(snakeKeys) })
}

function pactLink(pact: PactName) {
  return link(pactPath(pact), 'Pact', titleOf(pact))
}

function partyLink(name: string) {
  return link(filled(pacticipantAt, { pacticipant: name }), 'Consumer or provider', name)
}

function versionLink(version: VersionName) {
  return link(versionPath(version), 'Version', version.number)
}

/** A link; one to a path with parameters is a template. */
function link(href: string, title: string, name?: string) {
  return { href, title, name, ...(href.includes('{') ? { templated: true } : {}) }
}

/** A path with values for its parameters. One without a value stays, for the client to fill in. */
function filled(path: string, values: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (parameter, name) => {
    const value = values[name]
    return value === undefined ? parameter : encodeURIComponent(value)
  })
}

function titleOf({ provider, consumer, version }: PactName): string {
  return `Pact between ${consumer} (${version}) and ${provider}`
}
