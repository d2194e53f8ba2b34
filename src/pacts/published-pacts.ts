/**
 * The pacts that were published to one sandbox, and what verifiers said of them. Owns which there are and how they are
 * stored; a reset leaves them alone, because they are about clients and not about data.
 */
import * as z from 'zod'
import { refuse } from '../billing/refusal.ts'
import { described } from '../sandbox/described.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import {
  type DocumentFolder,
  type NewDocument,
  type StoredDocument,
  StoreError,
} from '../store/store.ts'
import { Instant } from '../time/instant.ts'
import type { Refusal } from '../world/refusal.ts'
import type { World } from '../world/world.ts'

/** The most pacts that one sandbox keeps. */
export const PACTS_MAX = 1000

/** The most results that are stored of one pact; older ones go. */
const RESULTS_MAX = 100

/** The most versions that are stored; above it the oldest go that no pact is of. */
const VERSIONS_MAX = 2 * PACTS_MAX

/** What one verification came to. */
const Result = z.strictObject({
  number: z.int().min(1),
  success: z.boolean(),
  /** The version of the provider that was verified. */
  providerVersion: z.string(),
  /** Which verifier it was, as it calls itself; null where it does not say. */
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
  /** The virtual now when it was published. */
  at: Instant,
  results: z.array(Result),
})
export type PublishedPact = z.infer<typeof Pact>

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

/** All versions are stored together, in the description of one document, because each is a line. */
const Versions = z.strictObject({ versions: z.array(Version) })

/** A pact used to be stored with its branch, before versions were. */
const About = z.union([Pact.extend({ branch: z.string().nullish() }), Versions])

/** What names a version. */
export type VersionName = Pick<PacticipantVersion, 'pacticipant' | 'number'>

/** What a version is marked with. */
export type Marks = Pick<PacticipantVersion, 'branches' | 'tags'>

/** All that was published to one sandbox, oldest first. */
export interface Published {
  readonly pacts: readonly PublishedPact[]
  readonly versions: readonly PacticipantVersion[]
}

/** What names a pact. */
export type PactName = Pick<PublishedPact, 'provider' | 'consumer' | 'version'>

/** A pact to publish: what is said of it, the pact, and what the version of its consumer is marked with. */
export interface NewPact {
  readonly pact: Omit<PublishedPact, 'results'>
  readonly document: object
  readonly marks?: Marks
}

/** A version without a mark. */
export const unmarked: Marks = { branches: [], tags: [] }

/** Works on the published pacts of a sandbox, one call after another. */
export function withPacts<Value>(
  sandbox: Sandbox,
  work: (pacts: PublishedPacts, world: World) => Promise<Value | Refusal>,
): Promise<Value | Refusal> {
  return sandbox.documents('pacts', (folder, world) => work(new PublishedPacts(folder), world))
}

/** The published pacts of one sandbox. Its identity is the folder that stores them. */
export class PublishedPacts {
  readonly #folder: DocumentFolder

  constructor(folder: DocumentFolder) {
    this.#folder = folder
  }

  /** All of it. Throws `StoreError` where the description of a document is wrong. */
  list(): Published {
    const { pacts, versions } = this.#all()
    return { pacts: [...pacts.values()].map(({ about }) => about), versions }
  }

  /** What a pact says. Refuses one that was not published. */
  async read(name: PactName): Promise<object | Refusal> {
    const found = described(this.#folder, About).find(
      ({ about }) => !('versions' in about) && keyOf(about) === keyOf(name),
    )
    if (found === undefined) return refuseUnknown(name)
    let pact: object | null = null
    // To the end, because only then is it known whether the file is whole.
    for await (const document of this.#folder.read(found.document)) pact ??= document as object
    if (pact === null) throw new StoreError('A published pact is empty')
    return pact
  }

  /**
   * Stores pacts, all or none, each in place of the one of the same name, whose results no longer count. Of two with one
   * name the later one is stored. Refuses one too many.
   */
  async publish(published: readonly NewPact[]): Promise<Refusal | null> {
    const { pacts, versions } = this.#all()
    for (const { pact } of published) pacts.delete(keyOf(pact))
    const others = pacts.size
    let marked = versions
    for (const { pact, document, marks = unmarked } of published) {
      // Of two with one name the later one also has the later place.
      pacts.delete(keyOf(pact))
      const about = { ...pact, results: [] }
      pacts.set(keyOf(pact), { about, document: { about, entries: [document] } })
      const { consumer: pacticipant, version: number, at } = pact
      marked = withMarks(marked, { pacticipant, number, ...marks, at })
    }
    if (pacts.size > PACTS_MAX) {
      return refuse(
        'pact_limit',
        `There are ${others} pacts already, and a sandbox keeps ${PACTS_MAX} at most; delete some first.`,
      )
    }
    await this.#store({ pacts, versions: marked })
    return null
  }

  /** Adds marks to a version; one that was not named before is stored too. */
  async mark(version: PacticipantVersion): Promise<PacticipantVersion> {
    const { pacts, versions } = this.#all()
    const marked = withMarks(versions, version)
    await this.#store({ pacts, versions: marked })
    return versionNamed(marked, version) ?? version
  }

  /** Stores the result of a verification. Refuses one of a pact that was not published. */
  async addResult(
    name: PactName,
    result: Omit<VerificationResult, 'number'>,
  ): Promise<VerificationResult | Refusal> {
    const { pacts, versions } = this.#all()
    const found = pacts.get(keyOf(name))
    if (found === undefined) return refuseUnknown(name)
    const { about: pact, document } = found
    const numbered = { ...result, number: (pact.results.at(-1)?.number ?? 0) + 1 }
    const about = { ...pact, results: [...pact.results, numbered].slice(-RESULTS_MAX) }
    pacts.set(keyOf(name), { about, document: { ...document, about } })
    const { providerVersion: number, at } = result
    const verified = { pacticipant: name.provider, number, ...unmarked, at }
    await this.#store({ pacts, versions: withMarks(versions, verified) })
    return numbered
  }

  /** Removes a pact and its results. Refuses one that was not published. */
  async remove(name: PactName): Promise<Refusal | null> {
    const { pacts, versions } = this.#all()
    if (!pacts.delete(keyOf(name))) return refuseUnknown(name)
    await this.#store({ pacts, versions })
    return null
  }

  #all(): Stored {
    const pacts: Stored['pacts'] = new Map()
    let versions: readonly PacticipantVersion[] = []
    for (const { about, document } of described(this.#folder, About)) {
      if ('versions' in about) {
        versions = about.versions
        continue
      }
      const { branch, ...pact } = about
      pacts.set(keyOf(pact), { about: pact, document: { ...document, about: pact } })
      const version = { ...consumerOf(pact), ...unmarked, at: pact.at }
      if (branch) versions = withMarks(versions, { ...version, branches: [branch] })
    }
    return { pacts, versions }
  }

  async #store({ pacts, versions }: Stored): Promise<void> {
    const consumers = new Set([...pacts.values()].map(({ about }) => versionKey(consumerOf(about))))
    let surplus = versions.length - VERSIONS_MAX
    const kept = versions.filter((each) => {
      if (surplus <= 0 || consumers.has(versionKey(each))) return true
      surplus -= 1
      return false
    })
    const documents = [...pacts.values()].map(({ document }) => document)
    await this.#folder.set([...documents, { about: { versions: kept }, entries: [] }])
  }
}

/** What the documents hold. */
interface Stored {
  readonly pacts: Map<string, { about: PublishedPact; document: StoredDocument | NewDocument }>
  readonly versions: readonly PacticipantVersion[]
}

/** The version of the consumer that a pact is of. */
export function consumerOf({ consumer, version }: PactName): VersionName {
  return { pacticipant: consumer, number: version }
}

/** The version of a name, where there is one. */
export function versionNamed(
  versions: readonly PacticipantVersion[],
  name: VersionName,
): PacticipantVersion | undefined {
  return versions.find(
    ({ pacticipant, number }) => pacticipant === name.pacticipant && number === name.number,
  )
}

/** The versions with one more, or with more marks on one that is there. */
function withMarks(
  versions: readonly PacticipantVersion[],
  added: PacticipantVersion,
): readonly PacticipantVersion[] {
  const before = versionNamed(versions, added)
  if (before === undefined) return [...versions, added]
  const both = (kind: keyof Marks) => [...new Set([...before[kind], ...added[kind]])]
  const after = { ...before, branches: both('branches'), tags: both('tags') }
  return versions.map((each) => (each === before ? after : each))
}

function versionKey({ pacticipant, number }: VersionName): string {
  return JSON.stringify([pacticipant, number])
}

function keyOf({ provider, consumer, version }: PactName): string {
  return JSON.stringify([provider, consumer, version])
}

function refuseUnknown({ provider, consumer, version }: PactName): Refusal {
  const id = `${consumer} ${version} for ${provider}`
  return refuse(
    'not_found',
    `pact "${id}" does not exist; GET /sandbox/broker/pacts lists those that do.`,
  )
}
