/**
 * The pacts that were published to one sandbox, the versions that they belong to, and the results of verifying them. Owns
 * which of them exist and how they are stored. A reset keeps them, because they are about clients and not about records.
 */
import * as z from 'zod'
import { refuse } from '../billing/refusal.ts'
import { described } from '../sandbox/checkpoints.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import {
  type DocumentFolder,
  type NewDocument,
  type StoredDocument,
  StoreError,
} from '../store/store.ts'
import { Instant } from '../time/instant.ts'
import type { Refusal } from '../world/refusal.ts'
import type { ReadyPact } from './pact-text.ts'

/** The most pacts that one sandbox keeps. */
export const PACTS_MAX = 1000

/** The most results that are stored of one pact; older ones go. */
const RESULTS_MAX = 100

/** The most versions that are stored; above it the oldest go that no pact is of. */
const VERSIONS_MAX = 2 * PACTS_MAX

/** The result of one verification. */
const Result = z.strictObject({
  number: z.int().min(1),
  success: z.boolean(),
  /** The version of the provider that was verified. */
  providerVersion: z.string(),
  /** The name and version of the verifier; null if it does not send them. */
  verifiedBy: z.string().nullable(),
  /** The virtual now when it was published. */
  at: Instant,
})
export type VerificationResult = z.infer<typeof Result>

/** One version of what one consumer expects of one provider. */
const Pact = z.strictObject({
  provider: z.string(),
  consumer: z.string(),
  /** The version of the consumer. */
  version: z.string(),
  /** The digest of what it asks of the provider. Results belong to it: versions with the same have the same results. */
  content: z.string().optional(),
  /** The virtual now when it was published. */
  at: Instant,
  results: z.array(Result),
})

/** One version of a consumer or a provider, and what it was marked with. */
const Version = z.strictObject({
  pacticipant: z.string(),
  number: z.string(),
  /** In the order in which they were added, like the tags. */
  branches: z.array(z.string()),
  tags: z.array(z.string()),
  /** The virtual now when it was first named. */
  at: Instant,
})
export type PacticipantVersion = z.infer<typeof Version>
export type VersionName = Pick<PacticipantVersion, 'pacticipant' | 'number'>
export type Marks = Pick<PacticipantVersion, 'branches' | 'tags'>

/** A pact with the branches and tags of its version. */
export type PublishedPact = z.infer<typeof Pact> & Marks

/** All versions are stored together, in the description of one document, because each is a line. */
const About = z.union([Pact, z.strictObject({ versions: z.array(Version) })])

/** A version without a mark. */
const unmarked: Marks = { branches: [], tags: [] }

/** All that was published to one sandbox: versions in the order in which they were first named, and pacts in that of theirs. */
export interface Published {
  readonly pacts: readonly PublishedPact[]
  readonly versions: readonly PacticipantVersion[]
}

/** What names a pact. */
export type PactName = Pick<PublishedPact, 'provider' | 'consumer' | 'version'>

/** A pact to publish. */
type NewPact = PactName & ReadyPact

/** Works on the published pacts of a sandbox, one call after another. */
export function withPacts<Value>(
  sandbox: Sandbox,
  work: (pacts: PublishedPacts) => Promise<Value | Refusal>,
): Promise<Value | Refusal> {
  return sandbox.documents('pacts', (folder, { clock }) =>
    work(new PublishedPacts(folder, clock.now())),
  )
}

/** The published pacts of one sandbox at a virtual now. Its identity is the folder that stores them. */
export class PublishedPacts {
  readonly #folder: DocumentFolder
  readonly #now: Instant

  constructor(folder: DocumentFolder, now: Instant) {
    this.#folder = folder
    this.#now = now
  }

  /** All of it. Throws `StoreError` where the description of a document is wrong. */
  list(): Published {
    const { pacts, versions } = this.#load()
    const place = new Map([...versions.keys()].map((key, index) => [key, index]))
    const placeOf = (pact: PactName) => place.get(versionKey(pact)) ?? -1
    const all = [...pacts.values()].map(({ about }) => {
      const { branches, tags } = versions.get(versionKey(about)) ?? unmarked
      return { ...about, branches, tags }
    })
    return {
      pacts: all.sort((one, other) => placeOf(one) - placeOf(other)),
      versions: [...versions.values()],
    }
  }

  /** What a pact says. Refuses one that was not published. */
  async read(name: PactName): Promise<object | Refusal> {
    const found = this.#load().pacts.get(pactKey(name))
    if (found === undefined) return refuseUnknown(name)
    let pact: object | null = null
    // To the end, because only then is it known whether the file is whole.
    for await (const entry of this.#folder.read(found as StoredDocument)) pact ??= entry as object
    if (pact === null) throw new StoreError('A published pact is empty')
    return pact
  }

  /**
   * Stores pacts, all or none; says whether one is new. A published one is never changed: refuses another content under its
   * name, and one too many.
   */
  async publish(
    published: readonly NewPact[],
    marks = unmarked,
  ): Promise<{ readonly isNew: boolean } | Refusal> {
    const stored = this.#load()
    const { pacts } = stored
    const before = pacts.size
    const at = this.#now
    for (const { provider, consumer, version, content, gzip } of published) {
      const pact = { provider, consumer, version, content, at }
      const known = pacts.get(pactKey(pact))
      if (known === undefined) {
        const results = sameContent(stored, pact)[0]?.about.results ?? []
        pacts.set(pactKey(pact), { about: { ...pact, results }, entries: [{ gzip }] })
      } else if (known.about.content !== content) {
        const why = 'exists already with another content, and a published pact is never changed'
        return refuse('exists', `${idOf(pact)} ${why}; publish under a new version.`)
      }
      mark(stored, { pacticipant: consumer, number: version, ...marks, at })
    }
    if (pacts.size > PACTS_MAX) {
      const why = `There would be ${pacts.size} pacts, and a sandbox keeps ${PACTS_MAX} at most`
      return refuse('pact_limit', `${why}; delete some first.`)
    }
    await this.#store(stored)
    return { isNew: pacts.size > before }
  }

  /** Adds marks to a version; one that was not named before is stored too. */
  async mark(version: VersionName, marks: Partial<Marks>): Promise<PacticipantVersion> {
    const stored = this.#load()
    const marked = mark(stored, { ...version, ...unmarked, ...marks, at: this.#now })
    await this.#store(stored)
    return marked
  }

  /** Stores the result of a verification for every version with this content. Refuses one of a pact that was not published. */
  async addResult(
    name: PactName,
    result: Omit<VerificationResult, 'number' | 'at'>,
  ): Promise<VerificationResult | Refusal> {
    const stored = this.#load()
    const found = stored.pacts.get(pactKey(name))
    if (found === undefined) return refuseUnknown(name)
    const before = found.about.results
    const numbered = { ...result, number: (before.at(-1)?.number ?? 0) + 1, at: this.#now }
    const results = [...before, numbered].slice(-RESULTS_MAX)
    for (const same of sameContent(stored, found.about)) {
      stored.pacts.set(pactKey(same.about), { ...same, about: { ...same.about, results } })
    }
    const { providerVersion: number } = result
    mark(stored, { pacticipant: name.provider, number, ...unmarked, at: this.#now })
    await this.#store(stored)
    return numbered
  }

  /** Removes a pact and its results. Refuses one that was not published. */
  async remove(name: PactName): Promise<Refusal | null> {
    const stored = this.#load()
    if (!stored.pacts.delete(pactKey(name))) return refuseUnknown(name)
    await this.#store(stored)
    return null
  }

  #load(): Contents {
    const pacts: Contents['pacts'] = new Map()
    let versions: readonly PacticipantVersion[] = []
    for (const { about, place } of described(this.#folder, About)) {
      if ('versions' in about) versions = about.versions
      else pacts.set(pactKey(about), { about: { content: pactKey(about), ...about }, place })
    }
    return { pacts, versions: new Map(versions.map((each) => [keyOf(each), each])) }
  }

  async #store({ pacts, versions }: Contents): Promise<void> {
    const documents = [...pacts.values()]
    const needed = new Set(documents.map(({ about }) => versionKey(about)))
    for (const key of versions.keys()) {
      if (versions.size <= VERSIONS_MAX) break
      if (!needed.has(key)) versions.delete(key)
    }
    await this.#folder.set([
      ...documents,
      { about: { versions: [...versions.values()] }, entries: [] },
    ])
  }
}

/** A pact that is stored, or to be stored. */
type PactDocument = (StoredDocument | NewDocument) & { readonly about: z.infer<typeof Pact> }

/** What the folder holds, by the keys of pacts and of versions, oldest first. */
interface Contents {
  readonly pacts: Map<string, PactDocument>
  readonly versions: Map<string, PacticipantVersion>
}

/** Adds the marks of a version, or the version. */
function mark({ versions }: Contents, added: PacticipantVersion): PacticipantVersion {
  const before = versions.get(keyOf(added))
  const both = (kind: keyof Marks) => [...new Set([...(before?.[kind] ?? []), ...added[kind]])]
  const marked = { ...added, ...before, branches: both('branches'), tags: both('tags') }
  versions.set(keyOf(added), marked)
  return marked
}

function pactKey({ provider, consumer, version }: PactName): string {
  return JSON.stringify([provider, consumer, version])
}

function keyOf({ pacticipant, number }: VersionName): string {
  return JSON.stringify([pacticipant, number])
}

/** The key of the version of the consumer that a pact is of. */
function versionKey({ consumer, version }: PactName): string {
  return keyOf({ pacticipant: consumer, number: version })
}

/** The stored pacts of one consumer and provider with one content. */
function sameContent({ pacts }: Contents, one: Omit<PactDocument['about'], 'results'>) {
  const isSame = ({ about }: PactDocument) =>
    about.content === one.content &&
    about.consumer === one.consumer &&
    about.provider === one.provider
  return [...pacts.values()].filter(isSame)
}

/** The pact in words. */
function idOf({ provider, consumer, version }: PactName): string {
  return `pact "${consumer} ${version} for ${provider}"`
}

function refuseUnknown(name: PactName): Refusal {
  const why = 'does not exist; GET /sandbox/broker/pacts lists those that do.'
  return refuse('not_found', `${idOf(name)} ${why}`)
}
