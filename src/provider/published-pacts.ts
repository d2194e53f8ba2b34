/**
 * The pacts that were published to one sandbox, the versions that they belong to, and the results of verifying them. Owns
 * which of them exist and how they are stored. A reset keeps them, because they are about clients and not about records.
 */
import { Readable } from 'node:stream'
import * as z from 'zod'
import { readDescriptions } from '../sandbox/checkpoints.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { DocumentFolder, StoredDocument } from '../store/store.ts'
import { orThrow, RefusalError } from '../surface/refusals.ts'
import { Instant } from '../time/instant.ts'
import type { ReadyPact } from './pact-text.ts'

/** The most pacts of one sandbox. */
export const PACTS_MAX = 1000
/** The most results that are stored of one pact; older ones go. */
const RESULTS_MAX = 100
/** The most versions that are stored; above it the oldest go that no pact is of. */
const VERSIONS_MAX = 2 * PACTS_MAX

/** The result of one verification: of which version of the provider, by which verifier, at which virtual now. */
const Result = z.strictObject({
  number: z.int().min(1),
  success: z.boolean(),
  providerVersion: z.string(),
  verifiedBy: z.string().nullable(),
  at: Instant,
})

/** What one version of a consumer expects of a provider, at the virtual now of its publication. */
const Pact = z.strictObject({
  provider: z.string(),
  consumer: z.string(),
  version: z.string(),
  /** The digest of what it asks of the provider. Results belong to it: versions with the same have the same results. */
  content: z.string().optional(),
  at: Instant,
  results: z.array(Result),
})
export type PactName = Pick<z.infer<typeof Pact>, 'provider' | 'consumer' | 'version'>

/** One version of a consumer or a provider, at the virtual now when it was first named. Marks are in their order. */
const Version = z.strictObject({
  pacticipant: z.string(),
  number: z.string(),
  branches: z.array(z.string()),
  tags: z.array(z.string()),
  at: Instant,
})
export type PacticipantVersion = z.infer<typeof Version>
type Marks = Partial<Pick<PacticipantVersion, 'branches' | 'tags'>>

/** All versions are stored together, in the description of one document, because each is a line. */
const About = z.union([Pact, z.strictObject({ versions: z.array(Version) })])

/** A pact that is stored, or to be stored. */
type PactDocument = (StoredDocument | { entries: object[] }) & { about: z.infer<typeof Pact> }

/** A version of a consumer has its pacts, by provider. */
type VersionWithPacts = PacticipantVersion & { readonly pacts: Map<string, PactDocument> }

export type Published = ReturnType<PublishedPacts['list']>
export type PublishedPact = Published['pacts'][number]

/** Works on the published pacts of a sandbox, one call after another. Throws what is refused. */
export async function withPacts<Value>(
  sandbox: Sandbox,
  work: (pacts: PublishedPacts) => Promise<Value> | Value,
): Promise<Value> {
  const done = await sandbox.documents<Value>('pacts', async (folder, { clock }) =>
    work(new PublishedPacts(folder, clock.now())),
  )
  return orThrow<Value>(done)
}

/** The published pacts of one sandbox at a virtual now. Its identity is the folder that stores them. */
export class PublishedPacts {
  readonly #folder: DocumentFolder
  readonly #now: Instant
  readonly #versions = new Map<string, VersionWithPacts>()

  /** Throws `StoreError` where the description of a document is wrong. */
  constructor(folder: DocumentFolder, now: Instant) {
    this.#folder = folder
    this.#now = now
    const stored = readDescriptions(folder, About)
    const versions = stored.flatMap(({ about }) => ('versions' in about ? about.versions : []))
    for (const each of versions) this.#versions.set(keyOf(each), { ...each, pacts: new Map() })
    for (const { about, place } of stored) {
      if ('versions' in about) continue
      // In an earlier format pacts have no digest. Such a pact shares its results with no other.
      const document = { about: { content: idOf(about), ...about }, place }
      this.#version(about.consumer, about.version).pacts.set(about.provider, document)
    }
  }

  /** Versions in the order in which they were first named, and pacts in that of their versions, with their marks. */
  list() {
    const versions = [...this.#versions.values()]
    const pacts = versions.flatMap(({ pacts, branches, tags }) =>
      [...pacts.values()].map(({ about }) => ({ ...about, branches, tags })),
    )
    return { pacts, versions }
  }

  /** What a pact says, as it is stored. Throws 404 for one that was not published. */
  async read(name: PactName): Promise<object> {
    const stored = this.#find(name) as StoredDocument
    // To the end, because only then is it known whether the file is whole.
    const [pact] = await Readable.from(this.#folder.read(stored)).toArray()
    return pact
  }

  /**
   * Stores pacts, all or none; says whether one is new. A published one is never changed: throws 409 for another content
   * under its name, and for one too many.
   */
  async publish(published: readonly (PactName & ReadyPact)[], marks: Marks = {}) {
    const before = this.#pacts.length
    for (const { provider, consumer, version, content, gzip } of published) {
      const pact = { provider, consumer, version, content, at: this.#now }
      const { pacts } = this.#version(consumer, version, marks)
      const known = pacts.get(provider)
      if (known === undefined) {
        const results = this.#sameContent(pact)[0]?.results ?? []
        pacts.set(provider, { about: { ...pact, results }, entries: [{ gzip }] })
      } else if (known.about.content !== content) {
        const why = 'exists already with another content, and a published pact is never changed'
        throw new RefusalError('exists', `${idOf(pact)} ${why}; publish under a new version.`)
      }
    }
    const count = this.#pacts.length
    if (count > PACTS_MAX) {
      const why = `A sandbox can have at most ${PACTS_MAX} pacts, and this one would have ${count}`
      throw new RefusalError('pact_limit', `${why}; delete some first.`)
    }
    await this.#store()
    return { isNew: count > before }
  }

  /** Adds marks to a version; one that was not named before is stored too. */
  async mark(pacticipant: string, number: string, marks: Marks): Promise<PacticipantVersion> {
    const marked = this.#version(pacticipant, number, marks)
    await this.#store()
    return marked
  }

  /** Stores a result for every version with the content of a pact. Throws 404 for one that was not published. */
  async addResult(name: PactName, result: Omit<z.infer<typeof Result>, 'number' | 'at'>) {
    const { about } = this.#find(name)
    const number = (about.results.at(-1)?.number ?? 0) + 1
    const numbered = { ...result, number, at: this.#now }
    const results = [...about.results, numbered].slice(-RESULTS_MAX)
    for (const same of this.#sameContent(about)) same.results = results
    this.#version(name.provider, result.providerVersion)
    await this.#store()
    return numbered
  }

  /** Removes a pact and its results. Throws 404 for one that was not published. */
  async remove(name: PactName): Promise<void> {
    this.#find(name)
    this.#version(name.consumer, name.version).pacts.delete(name.provider)
    await this.#store()
  }

  get #pacts(): PactDocument[] {
    return [...this.#versions.values()].flatMap(({ pacts }) => [...pacts.values()])
  }

  #find(name: PactName): PactDocument {
    const key = keyOf({ pacticipant: name.consumer, number: name.version })
    const found = this.#versions.get(key)?.pacts.get(name.provider)
    if (found !== undefined) return found
    const why = 'does not exist; GET /sandbox/broker/pacts lists those that do.'
    throw new RefusalError('not_found', `${idOf(name)} ${why}`)
  }

  /** The version with a name, new or not, with more marks. */
  #version(pacticipant: string, number: string, { branches = [], tags = [] }: Marks = {}) {
    const name = { pacticipant, number }
    const unmarked = { ...name, branches: [], tags: [], at: this.#now, pacts: new Map() }
    const version: VersionWithPacts = this.#versions.get(keyOf(name)) ?? unmarked
    version.branches = [...new Set([...version.branches, ...branches])]
    version.tags = [...new Set([...version.tags, ...tags])]
    this.#versions.set(keyOf(name), version)
    return version
  }

  /** The pacts of one consumer and provider with one content. */
  #sameContent({ consumer, provider, content }: Omit<PactDocument['about'], 'results'>) {
    const all = [...this.#versions.values()]
    const own = all.flatMap(({ pacts }) => pacts.get(provider)?.about ?? [])
    return own.filter((pact) => pact.consumer === consumer && pact.content === content)
  }

  async #store(): Promise<void> {
    const spare = [...this.#versions].filter(([, { pacts }]) => pacts.size === 0)
    const surplus = Math.max(0, this.#versions.size - VERSIONS_MAX)
    for (const [key] of spare.slice(0, surplus)) this.#versions.delete(key)
    const versions = [...this.#versions.values()].map(({ pacts: _, ...version }) => version)
    await this.#folder.set([...this.#pacts, { about: { versions }, entries: [] }])
  }
}

function keyOf({ pacticipant, number }: Pick<PacticipantVersion, 'pacticipant' | 'number'>) {
  return JSON.stringify([pacticipant, number])
}

function idOf({ provider, consumer, version }: PactName): string {
  return `pact "${consumer} ${version} for ${provider}"`
}
