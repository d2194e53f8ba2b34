/**
 * The pacts that were published to one sandbox, and the results of verifying them. Owns which pacts exist and how they
 * are stored. A reset keeps them, because they are about clients and not about records.
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
import type { World } from '../world/world.ts'
import {
  type Marks,
  newestOf,
  PacticipantVersion,
  unlisted,
  unmarked,
  type VersionName,
  versionNamed,
  withMarks,
} from './versions.ts'

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
  /** The virtual now when it was published. */
  at: Instant,
  results: z.array(Result),
})
export type PublishedPact = z.infer<typeof Pact>

/** All versions are stored together, in the description of one document, because each is a line. */
const Versions = z.strictObject({ versions: z.array(PacticipantVersion) })

const About = z.union([Pact, Versions])

/** All that was published to one sandbox, oldest first. */
export interface Published {
  readonly pacts: readonly PublishedPact[]
  readonly versions: readonly PacticipantVersion[]
}

/** What names a pact. */
export type PactName = Pick<PublishedPact, 'provider' | 'consumer' | 'version'>

/** A pact to publish: its description, its document, and the branches and tags of its consumer's version. */
export interface NewPact {
  readonly pact: Omit<PublishedPact, 'results'>
  readonly document: object
  readonly marks?: Marks
}

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

  /** All of it, with the version of each pact. Throws `StoreError` where the description of a document is wrong. */
  list(): Published {
    const { pacts: documents, versions } = this.#load()
    const pacts = [...documents.values()].map(({ about }) => about)
    const ofPacts = pacts.map((pact) => ({ ...consumerOf(pact), ...unmarked, at: pact.at }))
    return { pacts, versions: [...unlisted(ofPacts, versions), ...versions] }
  }

  /** What a pact says. Refuses one that was not published. */
  async read(name: PactName): Promise<object | Refusal> {
    const found = this.#load().pacts.get(keyOf(name))
    if (found === undefined) return refuseUnknown(name)
    let pact: object | null = null
    // To the end, because only then is it known whether the file is whole.
    for await (const entry of this.#folder.read(found as StoredDocument)) pact ??= entry as object
    if (pact === null) throw new StoreError('A published pact is empty')
    return pact
  }

  /**
   * Stores pacts, all or none, each in place of the one of the same name, whose results no longer count. Of two with one
   * name the later one is stored. Refuses one too many.
   */
  async publish(published: readonly NewPact[]): Promise<Refusal | null> {
    const { pacts, versions } = this.#load()
    let marked = versions
    for (const { pact, document, marks = unmarked } of published) {
      // A pact that is published again comes last.
      pacts.delete(keyOf(pact))
      pacts.set(keyOf(pact), { about: { ...pact, results: [] }, entries: [document] })
      marked = withMarks(marked, { ...consumerOf(pact), ...marks, at: pact.at })
    }
    if (pacts.size > PACTS_MAX) {
      return refuse(
        'pact_limit',
        `There would be ${pacts.size} pacts, and a sandbox keeps ${PACTS_MAX} at most; delete some first.`,
      )
    }
    await this.#store(pacts, marked)
    return null
  }

  /** Adds marks to a version; one that was not named before is stored too. */
  async mark(version: PacticipantVersion): Promise<PacticipantVersion> {
    const { pacts, versions } = this.#load()
    const marked = withMarks(versions, version)
    await this.#store(pacts, marked)
    return versionNamed(marked, version) ?? version
  }

  /** Stores the result of a verification. Refuses one of a pact that was not published. */
  async addResult(
    name: PactName,
    result: Omit<VerificationResult, 'number'>,
  ): Promise<VerificationResult | Refusal> {
    const { pacts, versions } = this.#load()
    const found = pacts.get(keyOf(name))
    if (found === undefined) return refuseUnknown(name)
    const { results } = found.about
    const numbered = { ...result, number: (results.at(-1)?.number ?? 0) + 1 }
    const about = { ...found.about, results: [...results, numbered].slice(-RESULTS_MAX) }
    pacts.set(keyOf(name), { ...found, about })
    const { providerVersion: number, at } = result
    const verified = { pacticipant: name.provider, number, ...unmarked, at }
    await this.#store(pacts, withMarks(versions, verified))
    return numbered
  }

  /** Removes a pact and its results. Refuses one that was not published. */
  async remove(name: PactName): Promise<Refusal | null> {
    const { pacts, versions } = this.#load()
    if (!pacts.delete(keyOf(name))) return refuseUnknown(name)
    await this.#store(pacts, versions)
    return null
  }

  #load() {
    const pacts = new Map<string, PactDocument>()
    let versions: readonly PacticipantVersion[] = []
    for (const { about, place } of described(this.#folder, About)) {
      if ('versions' in about) versions = about.versions
      else pacts.set(keyOf(about), { about, place })
    }
    return { pacts, versions }
  }

  async #store(
    pacts: ReadonlyMap<string, PactDocument>,
    versions: readonly PacticipantVersion[],
  ): Promise<void> {
    const consumers = [...pacts.values()].map(({ about }) => consumerOf(about))
    const newest = newestOf(versions, VERSIONS_MAX, consumers)
    await this.#folder.set([...pacts.values(), { about: { versions: newest }, entries: [] }])
  }
}

/** A pact that is stored, or to be stored. */
type PactDocument = (StoredDocument | NewDocument) & { readonly about: PublishedPact }

/** The version of the consumer that a pact is of. */
export function consumerOf({ consumer, version }: PactName): VersionName {
  return { pacticipant: consumer, number: version }
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
