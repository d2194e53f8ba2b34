/**
 * The broker's resources in HAL, which a verifier follows link by link, made of what was published to a sandbox. Owns
 * where they are; the address of the server goes before each link where it is answered.
 */
import type { Context } from 'hono'
import type { PacticipantVersion, PactName, PublishedPact } from '../../provider/published-pacts.ts'
import { location } from '../../surface/declarations.ts'
import { mapValues } from '../../surface/schema-book.ts'
import { countText } from '../../wire/common/text.ts'
import { Hal } from '../../wire/pacts/pact.ts'
import type { ContractJobs } from '../contracts/jobs.ts'
import { ELSEWHERE } from '../envelopes.ts'
import { hostOf } from '../guard.ts'

export const HAL = 'application/hal+json'

/** A reply with a resource, and one that says where it is stored. */
export function resource(description: string) {
  return { schema: Hal, mediaType: HAL, source: 'sandbox', description } as const
}

export function storedResource(description: string) {
  return { ...resource(description), headers: { Location: location } } as const
}

const broker = '/sandbox/broker'
const provider = `${broker}/pacts/provider/{provider}` as const
const pacticipantPath = `${broker}/pacticipants/{pacticipant}` as const
export const pactAt = `${provider}/consumer/{consumer}/version/{version}` as const
export const resultsAt = `${pactAt}/verification-results` as const

/** Where resources are, by the relation of their links. Those that are refused lead a command line to the reason. */
export const paths = {
  self: broker,
  'pb:provider-pacts-for-verification': `${provider}/for-verification`,
  'pb:latest-pact-versions': `${broker}/pacts/latest`,
  'pb:latest-provider-pacts': `${provider}/latest`,
  'pb:publish-contracts': `${broker}/contracts/publish`,
  'pb:pacticipant': pacticipantPath,
  'pb:pacticipant-version': `${pacticipantPath}/versions/{version}`,
  'pb:pacticipant-version-tag': `${pacticipantPath}/versions/{version}/tags/{tag}`,
  'pb:pacticipant-branch-version': `${pacticipantPath}/branches/{branch}/versions/{version}`,
  'pb:pacticipants': `${broker}/pacticipants`,
  'pb:pacticipant-branch': `${pacticipantPath}/branches/{branch}`,
  'pb:latest-version': `${pacticipantPath}/latest-version`,
  'pb:latest-tagged-version': `${pacticipantPath}/latest-version/{tag}`,
  'pb:environments': `${broker}/environments`,
  'pb:environment': `${broker}/environments/{uuid}`,
  'pb:webhooks': `${broker}/webhooks`,
  'pb:webhook': `${broker}/webhooks/{uuid}`,
} as const

type Values = Readonly<Record<string, string>>

/** A link to a path; what has no value in it stays for the client to fill in. Tools print its name. */
function link(path: string, values: Values = {}, name?: string) {
  const href = path.replace(/\{(\w+)\}/g, (parameter, key) => {
    const value = values[key]
    return value === undefined ? parameter : encodeURIComponent(value)
  })
  if (name !== undefined) return { href, title: name, name }
  return href.includes('{') ? { href, templated: true } : { href }
}

export function links(to: Values, values?: Values) {
  return mapValues(to, (path) => link(String(path), values))
}

function nameOf({ consumer, version, provider }: PactName): string {
  return `Pact between ${consumer} (${version}) and ${provider}`
}

export function pactLink(pact: PactName) {
  return link(pactAt, pact, nameOf(pact))
}

export function versionLink({ pacticipant, number: version }: PacticipantVersion) {
  return link(paths['pb:pacticipant-version'], { pacticipant, version })
}

/** A resource with the address where the client reached this server in every link: verifiers resolve no others. */
export function withBaseUrl<Resource>(c: Context, body: Resource): Resource {
  const base = `http://${hostOf(c)}`
  return JSON.parse(JSON.stringify(body), (key, value) => (key === 'href' ? base + value : value))
}

export function presentVersion(version: PacticipantVersion): Hal {
  const named = (names: readonly string[]) => names.map((name) => ({ name }))
  // A command line prints the sentence that it finds in place of a link.
  const refused = { 'pb:record-deployment': ELSEWHERE, 'pb:record-release': ELSEWHERE }
  return {
    number: version.number,
    createdAt: version.at,
    _embedded: { branchVersions: named(version.branches), tags: named(version.tags) },
    _links: { self: versionLink(version), ...refused },
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

/** The pacts to verify, and why each of them is. */
export function presentSelection(path: string, pacts: readonly PublishedPact[]): Hal {
  const presented = pacts.map((pact) => {
    const text = `The pact of ${pact.consumer} ${pact.version} is one of those that were asked for`
    return {
      shortDescription: `asked for of ${pact.consumer}`,
      verificationProperties: { pending: false, notices: [{ when: 'before_verification', text }] },
      _links: { self: pactLink(pact) },
    }
  })
  return { _links: { self: { href: path } }, _embedded: { pacts: presented } }
}

/** The links of a pact, which a verifier follows. */
export function presentLinks(pact: PactName): Hal {
  const to = {
    'pb:provider': paths['pb:pacticipant'],
    'pb:publish-verification-results': resultsAt,
  }
  const values = { ...pact, pacticipant: pact.provider }
  return { _links: { self: pactLink(pact), ...links(to, values) } }
}

/** Pacts of one version that were published, with what was found in each. */
type Publication = Awaited<ReturnType<ContractJobs['publishAll']>>

/** What a command line reads after a publication. It shows the notices only where every link has a name. */
export function presentPublication({ pacticipant, version, marks, pacts }: Publication): Hal {
  const to = (relation: keyof typeof paths, name: string) =>
    link(paths[relation], { pacticipant, version, tag: name }, name)
  const party = to('pb:pacticipant', pacticipant)
  const whole = to('pb:pacticipant-version', version)
  return {
    _embedded: {
      pacticipant: { name: pacticipant, _links: { self: party } },
      version: { number: version, _links: { self: whole } },
    },
    _links: {
      'pb:pacticipant': party,
      'pb:pacticipant-version': whole,
      'pb:pacticipant-version-tags': marks.tags.map((tag) => to('pb:pacticipant-version-tag', tag)),
      'pb:contracts': pacts.map(pactLink),
    },
    logs: [],
    notices: pacts.flatMap(noticesOf),
  }
}

function noticesOf({ check, ...pact }: Publication['pacts'][number]) {
  const { ok: fits, findings, more_findings: more } = check
  const text = `${nameOf(pact)} ${fits ? 'fits' : 'does not fit'} the documented interface.`
  const found = findings.map(({ severity: type, interaction, message }) => {
    return { type, text: interaction === null ? message : `${interaction}: ${message}` }
  })
  const left = countText(more, 'more finding is', 'more findings are')
  const rest = { type: 'warning', text: `${left} not listed.` }
  return [{ type: fits ? 'success' : 'error', text }, ...found, ...(more === 0 ? [] : [rest])]
}
