/**
 * The broker's resources in HAL, which a verifier follows link by link. Owns their paths; the address of the server goes
 * before each of them where they are answered.
 */
import {
  consumerOf,
  type PactName,
  type PublishedPact,
  type VerificationResult,
} from '../../pacts/published-pacts.ts'
import type { Marks, PacticipantVersion, VersionName } from '../../pacts/versions.ts'
import { snakeKeys } from '../../wire/case.ts'
import type { Hal, WireCheck, WirePublishedPact, WireResultResource } from '../../wire/pact.ts'

/** Where the broker is, on this server. */
export const BROKER = '/sandbox/broker'

/** The path of each kind of resource. */
export const providerAt = `${BROKER}/pacts/provider/{provider}` as const
export const pactAt = `${providerAt}/consumer/{consumer}/version/{version}` as const
export const pacticipantAt = `${BROKER}/pacticipants/{pacticipant}` as const
export const versionAt = `${pacticipantAt}/versions/{version}` as const
export const tagAt = `${versionAt}/tags/{tag}` as const
export const branchVersionAt = `${pacticipantAt}/branches/{branch}/versions/{version}` as const

/** The path of a pact. */
export function pactPath({ provider, consumer, version }: PactName): string {
  return filled(pactAt, { provider, consumer, version })
}

/** The path of a version of a consumer or provider. */
export function versionPath({ pacticipant, number }: VersionName): string {
  return filled(versionAt, { pacticipant, version: number })
}

/** The links that a verifier asks for first. */
export const brokerIndex: Hal = {
  _links: {
    self: link(BROKER, 'The pacts that were published to this sandbox'),
    'pb:provider-pacts-for-verification': link(
      `${providerAt}/for-verification`,
      'The pacts of a provider to verify',
    ),
    'pb:latest-pact-versions': link(`${BROKER}/pacts/latest`, 'The newest pacts'),
    'pb:latest-provider-pacts': link(`${providerAt}/latest`, 'The newest pacts of a provider'),
    'pb:latest-provider-pacts-with-tag': link(
      `${providerAt}/latest/{tag}`,
      'The newest pacts of a provider with a tag',
    ),
    'pb:publish-pact': link(
      `${providerAt}/consumer/{consumer}/version/{consumerApplicationVersion}`,
      'Publish a pact',
    ),
    'pb:publish-contracts': link(`${BROKER}/contracts/publish`, 'Publish pacts'),
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

/** A version with its branches and tags. */
export function presentVersion(version: PacticipantVersion): Hal {
  const { pacticipant, number, branches, tags, at } = version
  return {
    number,
    createdAt: at,
    _embedded: {
      branchVersions: branches.map((name) => ({ name })),
      tags: tags.map((name) => ({ name })),
    },
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
    _links: { self: { href: `${BROKER}/pacts/latest` } },
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
  const path = filled(`${providerAt}/for-verification`, { provider })
  return { _links: { self: link(path, `Pacts for ${provider} to verify`) } }
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
  return {
    _links: {
      self: pactLink(pact),
      'pb:consumer': partyLink(pact.consumer),
      'pb:provider': partyLink(pact.provider),
      'pb:consumer-version': versionLink(consumerOf(pact)),
      'pb:publish-verification-results': link(
        `${pactPath(pact)}/verification-results`,
        'Publish what a verification came to',
      ),
    },
  }
}

/** The result of a publication: whose version it was, its pacts, and notices. */
export function presentPublication({ version, marks, pacts }: Publication): Hal {
  const { pacticipant: name, number } = version
  const [party, own] = [partyLink(name), versionLink(version)]
  const named = pacts.map((pact) => ({ ...pact, version: number }))
  return {
    _embedded: {
      pacticipant: { name, _links: { self: party } },
      version: { number, _links: { self: own } },
    },
    _links: {
      'pb:pacticipant': party,
      'pb:pacticipant-version': own,
      'pb:pacticipant-version-tags': marks.tags.map((tag) =>
        link(filled(tagAt, { pacticipant: name, version: number, tag }), 'Tag', tag),
      ),
      'pb:contracts': named.map(pactLink),
    },
    logs: [],
    notices: presentNotices(named),
  }
}

/** The stored result of a verification. */
export function presentResult(pact: PactName, result: VerificationResult): WireResultResource {
  const path = `${pactPath(pact)}/verification-results/${result.number}`
  return { ...presentStored(result), _links: { self: link(path, 'Verification result') } }
}

/** A published pact in a list, with the branches and tags of its version. */
export function presentPublished(pact: PublishedPact, marks: Marks): WirePublishedPact {
  const { results, provider, consumer, version, at } = pact
  const { branches, tags } = marks
  return { provider, consumer, version, branches, tags, at, results: results.map(presentStored) }
}

function presentStored(result: VerificationResult) {
  return snakeKeys(result) as WirePublishedPact['results'][number]
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
  return `${ok ? 'fits' : 'does not fit'} the documented interface.`
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
