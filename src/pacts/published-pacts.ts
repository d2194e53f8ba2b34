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
const Published = z.strictObject({
  provider: z.string(),
  consumer: z.string(),
  /** The version of the consumer. */
  version: z.string(),
  branch: z.string().nullable(),
  /** The virtual now when it was published. */
  at: Instant,
  results: z.array(Result),
})
export type PublishedPact = z.infer<typeof Published>

/** What names a pact. */
export type PactName = Pick<PublishedPact, 'provider' | 'consumer' | 'version'>

/** A pact to publish: what is said of it, and the pact. */
export interface NewPact {
  readonly pact: Omit<PublishedPact, 'results'>
  readonly document: object
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

  /** Every pact, oldest first. Throws `StoreError` where the description of one is wrong. */
  list(): readonly PublishedPact[] {
    return [...this.#all().values()].map(({ about }) => about)
  }

  /** What a pact says. Refuses one that was not published. */
  async read(name: PactName): Promise<object | Refusal> {
    const found = this.#all().get(keyOf(name))
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
    const documents = new Map<string, StoredDocument | NewDocument>()
    for (const [key, { document }] of this.#all()) documents.set(key, document)
    for (const { pact } of published) documents.delete(keyOf(pact))
    const others = documents.size
    for (const { pact, document } of published) {
      // Of two with one name the later one also has the later place.
      documents.delete(keyOf(pact))
      documents.set(keyOf(pact), { about: { ...pact, results: [] }, entries: [document] })
    }
    if (documents.size > PACTS_MAX) {
      return refuse(
        'pact_limit',
        `There are ${others} pacts already, and a sandbox keeps ${PACTS_MAX} at most; delete some first.`,
      )
    }
    await this.#folder.set([...documents.values()])
    return null
  }

  /** Stores the result of a verification. Refuses one of a pact that was not published. */
  async addResult(
    name: PactName,
    result: Omit<VerificationResult, 'number'>,
  ): Promise<VerificationResult | Refusal> {
    const all = this.#all()
    const found = all.get(keyOf(name))
    if (found === undefined) return refuseUnknown(name)
    const { about: pact, document } = found
    const numbered = { ...result, number: (pact.results.at(-1)?.number ?? 0) + 1 }
    const about = { ...pact, results: [...pact.results, numbered].slice(-RESULTS_MAX) }
    all.set(keyOf(name), { about, document: { ...document, about } })
    await this.#folder.set([...all.values()].map(({ document }) => document))
    return numbered
  }

  /** Removes a pact and its results. Refuses one that was not published. */
  async remove(name: PactName): Promise<Refusal | null> {
    const all = this.#all()
    if (!all.delete(keyOf(name))) return refuseUnknown(name)
    await this.#folder.set([...all.values()].map(({ document }) => document))
    return null
  }

  #all() {
    return new Map(described(this.#folder, Published).map((each) => [keyOf(each.about), each]))
  }
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
