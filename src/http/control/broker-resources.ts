/**
 * The broker's resources in HAL, which a verifier follows link by link, made of what was published to the sandbox that is
 * called. Owns their paths; the address of the server goes before each of them where they are answered.
 */
import type { Context } from 'hono'
import type { MatrixAnswer, MatrixRow } from '../../provider/matrix.ts'
import {
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
import { ok } from '../../surface/operation.ts'
import { orThrow } from '../../surface/refusals.ts'
import { presentAs, snakeKeys } from '../../wire/case.ts'
import { Hal, WirePublishedPact, type WireResultResource } from '../../wire/pact.ts'
import type { WireCheck } from '../../wire/pact-check.ts'
import type { Refusal } from '../../world/refusal.ts'
import { ELSEWHERE } from '../envelopes.ts'
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
  work: (pacts: PublishedPacts) => Promise<Value | Refusal>,
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

/** 200 with a resource. */
export function showHal<Resource>(c: Context, body: Resource) {
  return ok(addressed(c, body))
}

/** Where the broker is, on this server. */
export const BROKER = '/sandbox/broker'

const providerAt = `${BROKER}/pacts/provider/{provider}` as const
export const allLatestAt = `${BROKER}/pacts/latest` as const
export const latestAt = `${providerAt}/latest` as const
export const selectionAt = `${providerAt}/for-verification` as const
export const publishAt = `${BROKER}/contracts/publish` as const
export const pactAt = `${providerAt}/consumer/{consumer}/version/{version}` as const
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

/** The links that a verifier asks for first; those that are refused lead a command line to the reason. */
export const brokerIndex: Hal = {
  _links: links({
    self: BROKER,
    'pb:provider-pacts-for-verification': selectionAt,
    'pb:latest-pact-versions': allLatestAt,
    'pb:latest-provider-pacts': latestAt,
    'pb:publish-contracts': publishAt,
    'pb:pacticipant': pacticipantAt,
    'pb:pacticipant-version': versionAt,
    'pb:pacticipant-version-tag': tagAt,
    'pb:pacticipant-branch-version': branchVersionAt,
    'pb:pacticipants': `${BROKER}/pacticipants`,
    'pb:pacticipant-branch': `${pacticipantAt}/branches/{branch}`,
    'pb:latest-version': `${pacticipantAt}/latest-version`,
    'pb:latest-tagged-version': `${pacticipantAt}/latest-version/{tag}`,
    'pb:environments': `${BROKER}/environments`,
    'pb:environment': `${BROKER}/environments/{uuid}`,
    'pb:webhooks': `${BROKER}/webhooks`,
    'pb:webhook': `${BROKER}/webhooks/{uuid}`,
  }),
}

/** A consumer or provider, and where its versions are put on a branch and tagged. */
export function presentPacticipant(name: string): Hal {
  const own = { self: pacticipantAt, 'pb:version': versionAt }
  const marks = { 'pb:version-tag': tagAt, 'pb:branch-version': branchVersionAt }
  return { name, _links: links({ ...own, ...marks }, { pacticipant: name }) }
}

export function presentVersion({
  pacticipant,
  number,
  branches,
  tags,
  at,
}: PacticipantVersion): Hal {
  const named = (names: readonly string[]) => names.map((name) => ({ name }))
  return {
    number,
    createdAt: at,
    _embedded: { branchVersions: named(branches), tags: named(tags) },
    _links: {
      ...links({ self: versionAt }, { pacticipant, version: number }),
      // No links: a command line prints what it finds in their place.
      'pb:record-deployment': ELSEWHERE,
      'pb:record-release': ELSEWHERE,
    },
  }
}

/** The newest pacts: as links for a verifier, and with consumer and provider, as a command line prints them. */
export function presentLatest(path: string, pacts: readonly PublishedPact[]): Hal {
  const found = pacts.map((pact) => ({ ...pactLink(pact), name: pact.consumer }))
  return {
    // Verifiers look under either name.
    _links: { self: { href: path }, 'pb:pacts': found, pacts: found },
    pacts: pacts.map((pact) => ({
      createdAt: pact.at,
      _links: { self: [pactLink(pact)] },
      _embedded: {
        consumer: { name: pact.consumer, _embedded: { version: { number: pact.version } } },
        provider: { name: pact.provider },
      },
    })),
  }
}

/** Where a verifier sends which pacts of a provider it wants. */
export function presentProvider(provider: string): Hal {
  return { _links: links({ self: selectionAt }, { provider }) }
}

/** The pacts to verify, and why each of them is. */
export function presentSelection(provider: string, pacts: readonly PublishedPact[]): Hal {
  const presented = pacts.map((pact) => {
    const text = `The pact of ${pact.consumer} ${pact.version} is one of those that were asked for`
    return {
      shortDescription: `asked for of ${pact.consumer}`,
      verificationProperties: { pending: false, notices: [{ when: 'before_verification', text }] },
      _links: { self: pactLink(pact) },
    }
  })
  return { ...presentProvider(provider), _embedded: { pacts: presented } }
}

/** The links of a pact, which a verifier follows. */
export function presentLinks(pact: PactName): Hal {
  const { provider: pacticipant } = pact
  return {
    _links: {
      self: pactLink(pact),
      ...links({ 'pb:provider': pacticipantAt }, { pacticipant }),
      ...links({ 'pb:publish-verification-results': resultsAt }, pact),
    },
  }
}

/** The result of a publication. A command line shows its notices only where every link has a title and a name. */
export function presentPublication(
  { pacticipant, number }: VersionName,
  tags: readonly string[],
  pacts: readonly CheckedPact[],
): Hal {
  const link = (path: string, name: string, tag = '') => {
    return { href: filled(path, { pacticipant, version: number, tag }), title: name, name }
  }
  const [party, version] = [link(pacticipantAt, pacticipant), link(versionAt, number)]
  return {
    _embedded: {
      pacticipant: { name: pacticipant, _links: { self: party } },
      version: { number, _links: { self: version } },
    },
    _links: {
      'pb:pacticipant': party,
      'pb:pacticipant-version': version,
      'pb:pacticipant-version-tags': tags.map((tag) => link(tagAt, tag, tag)),
      'pb:contracts': pacts.map(pactLink),
    },
    logs: [],
    notices: pacts.flatMap(noticesOf),
  }
}

type CheckedPact = PactName & { readonly check: WireCheck }

/** What was found in a pact that was just published, as notices that a command line shows. */
function noticesOf({ check, ...name }: CheckedPact) {
  const { ok: fits, findings, more_findings: more } = check
  const verdict = fits ? 'fits' : 'does not fit'
  const text = `${pactLink(name).name} ${verdict} the documented interface.`
  return [
    { type: fits ? 'success' : 'error', text },
    ...findings.map(({ severity: type, interaction, message }) => {
      return { type, text: interaction === null ? message : `${interaction}: ${message}` }
    }),
    ...(more === 0 ? [] : [{ type: 'warning', text: `${more} more findings are not listed.` }]),
  ]
}

/** The matrix and its verdict, as `can-i-deploy` reads them. */
export function presentMatrix({ rows, summary }: MatrixAnswer) {
  const types = { true: 'success', false: 'error', null: 'warning' } as const
  const notices = [{ type: types[`${summary.deployable}`], text: summary.reason }]
  return { summary, notices, matrix: rows.map(presentRow) }
}

function presentRow({ pact, providerVersion: number, result }: MatrixRow) {
  return {
    consumer: { name: pact.consumer, version: { number: pact.version } },
    provider: { name: pact.provider, version: number === null ? null : { number } },
    pact: { _links: { self: pactLink(pact) } },
    verificationResult: result === null ? null : presentResult(pact, result),
  }
}

export function presentResult(pact: PactName, result: VerificationResult): WireResultResource {
  return { ...snakeKeys(result), _links: { self: { href: resultPath(pact, result) } } }
}

/** A published pact in a list, with the branches and tags of its version. */
export function presentPublished(pact: PublishedPact): WirePublishedPact {
  return presentAs(WirePublishedPact, { ...pact, results: pact.results.map(snakeKeys) })
}

/** The link to a pact; a verifier prints its name. */
function pactLink(pact: PactName) {
  const name = `Pact between ${pact.consumer} (${pact.version}) and ${pact.provider}`
  return { href: pactPath(pact), title: name, name }
}

/** Links by relation; one to a path with a parameter that has no value is a template. */
function links(
  paths: Readonly<Record<string, string>>,
  values: Readonly<Record<string, string>> = {},
) {
  const all = Object.entries(paths).map(([relation, path]) => {
    const href = filled(path, values)
    return [relation, href.includes('{') ? { href, templated: true } : { href }]
  })
  return Object.fromEntries(all)
}

/** A path with values for its parameters. One without a value stays, for the client to fill in. */
function filled(path: string, values: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (parameter, name) => {
    const value = values[name]
    return value === undefined ? parameter : encodeURIComponent(value)
  })
}
