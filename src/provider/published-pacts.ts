/**
 * The pacts that were published to one sandbox, the versions that they belong to, and the results of verifying them. Owns
 * which of them exist and how they are stored. A reset keeps them, because they are about clients and not about records.
 */
import * as z from 'zod'
import { isRefusal, refuse } from '../billing/refusal.ts'
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

/** A pact that is stored, or to be stored. */
type PactDocument = (StoredDocument | NewDocument) & { readonly about: z.infer<typeof Pact> }

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
  readonly #pacts = new Map<string, PactDocument>()
  readonly #versions = new Map<string, PacticipantVersion>()

  /** Throws `StoreError` where the description of a document is wrong. */
  constructor(folder: DocumentFolder, now: Instant) {
    this.#folder = folder
    this.#now = now
    for (const { about, place } of described(folder, About)) {
      if ('versions' in about)
        for (const each of about.versions) this.#versions.set(keyOf(each), each)
      else this.#pacts.set(pactKey(about), { about: { content: pactKey(about), ...about }, place })
    }
  }

  /** All of it. */
  list(): Published {
    const place = new Map([...this.#versions.keys()].map((key, index) => [key, index]))
    const placeOf = (pact: PactName) => place.get(keyOf(versionOf(pact))) ?? -1
    const pacts = [...this.#pacts.values()].map(({ about }) => {
      const { branches, tags } = this.#versions.get(keyOf(versionOf(about))) ?? unmarked
      return { ...about, branches, tags }
    })
    pacts.sort((one, other) => placeOf(one) - placeOf(other))
    return { pacts, versions: [...this.#versions.values()] }
  }

  /** What a pact says. Refuses one that was not published. */
  async read(name: PactName): Promise<object | Refusal> {
    const found = this.#find(name)
    if (isRefusal(found)) return found
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
    published: readonly (PactName & ReadyPact)[],
    marks = unmarked,
  ): Promise<{ readonly isNew: boolean } | Refusal> {
    const pacts = this.#pacts
    const before = pacts.size
    for (const { provider, consumer, version, content, gzip } of published) {
      const pact = { provider, consumer, version, content, at: this.#now }
      const known = pacts.get(pactKey(pact))
      if (known === undefined) {
        const results = this.#sameContent(pact)[0]?.about.results ?? []
        pacts.set(pactKey(pact), { about: { ...pact, results }, entries: [{ gzip }] })
      } else if (known.about.content !== content) {
        const why = 'exists already with another content, and a published pact is never changed'
        return refuse('exists', `${idOf(pact)} ${why}; publish under a new version.`)
      }
      this.#mark(versionOf(pact), marks)
    }
    if (pacts.size > PACTS_MAX) {
      const why = `A sandbox can have at most ${PACTS_MAX} pacts, and this one would have ${pacts.size}`
      return refuse('pact_limit', `${why}; delete some first.`)
    }
    await this.#store()
    return { isNew: pacts.size > before }
  }

  /** Adds marks to a version; one that was not named before is stored too. */
  async mark(version: VersionName, marks: Partial<Marks>): Promise<PacticipantVersion> {
    const marked = this.#mark(version, marks)
    await this.#store()
    return marked
  }

  /** Stores the result of a verification for every version with this content. Refuses one of a pact that was not published. */
  async addResult(
    name: PactName,
    result: Omit<VerificationResult, 'number' | 'at'>,
  ): Promise<VerificationResult | Refusal> {
    const found = this.#find(name)
    if (isRefusal(found)) return found
    const before = found.about.results
    const numbered = { ...result, number: (before.at(-1)?.number ?? 0) + 1, at: this.#now }
    const results = [...before, numbered].slice(-RESULTS_MAX)
    for (const same of this.#sameContent(found.about)) {
      this.#pacts.set(pactKey(same.about), { ...same, about: { ...same.about, results } })
    }
    this.#mark({ pacticipant: name.provider, number: result.providerVersion })
    await this.#store()
    return numbered
  }

  /** Removes a pact and its results. Refuses one that was not published. */
  async remove(name: PactName): Promise<Refusal | null> {
    const found = this.#find(name)
    if (isRefusal(found)) return found
    this.#pacts.delete(pactKey(name))
    await this.#store()
    return null
  }

  #find(name: PactName): PactDocument | Refusal {
    const why = 'does not exist; GET /sandbox/broker/pacts lists those that do.'
    return this.#pacts.get(pactKey(name)) ?? refuse('not_found', `${idOf(name)} ${why}`)
  }

  /** Adds the marks of a version, or the version. */
  #mark(name: VersionName, { branches = [], tags = [] }: Partial<Marks> = {}): PacticipantVersion {
    const before = this.#versions.get(keyOf(name)) ?? { ...name, ...unmarked, at: this.#now }
    const marked = {
      ...before,
      branches: [...new Set([...before.branches, ...branches])],
      tags: [...new Set([...before.tags, ...tags])],
    }
    this.#versions.set(keyOf(name), marked)
    return marked
  }

  /** The pacts of one consumer and provider with one content. */
  #sameContent({ consumer, provider, content }: Omit<PactDocument['about'], 'results'>) {
    return [...this.#pacts.values()].filter(
      ({ about }) =>
        about.content === content && about.consumer === consumer && about.provider === provider,
    )
  }

  async #store(): Promise<void> {
    const documents = [...this.#pacts.values()]
    const needed = new Set(documents.map(({ about }) => keyOf(versionOf(about))))
    const spare = [...this.#versions.keys()].filter((key) => !needed.has(key))
    const surplus = Math.max(0, this.#versions.size - VERSIONS_MAX)
    for (const key of spare.slice(0, surplus)) this.#versions.delete(key)
    const versions = [...this.#versions.values()]
    await this.#folder.set([...documents, { about: { versions }, entries: [] }])
  }
}

function pactKey({ provider, consumer, version }: PactName): string {
  return JSON.stringify([provider, consumer, version])
}

function keyOf({ pacticipant, number }: VersionName): string {
  return JSON.stringify([pacticipant, number])
}

/** The version of the consumer that a pact is of. */
function versionOf({ consumer, version }: PactName): VersionName {
  return { pacticipant: consumer, number: version }
}

/** The pact in words. */
function idOf({ provider, consumer, version }: PactName): string {
  return `pact "${consumer} ${version} for ${provider}"`
}
