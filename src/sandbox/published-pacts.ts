/**
 * The pacts that were published to one sandbox, and what verifiers said of them. Owns which there are and how they are
 * kept; a reset leaves them alone, because they are about clients and not about data.
 */
import { createHash } from 'node:crypto'
import * as z from 'zod'
import { Instant } from '../billing/instant.ts'
import { type Refusal, refuse } from '../billing/refusal.ts'
import { type Shelf, StoreError } from '../store/store.ts'
import { notFound } from './answer.ts'

/** The most pacts that one sandbox keeps. */
export const PACTS_MAX = 1000

/** The most results that are kept of one pact; older ones go. */
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

/** Oldest first. */
const Index = z.strictObject({ format: z.literal(1), pacts: z.array(Published) })
const INDEX = 'index'

/** The published pacts of one sandbox. Its identity is what it knows of the shelf. */
export class PublishedPacts {
  readonly #shelf: Shelf
  /** Null until somebody asks. */
  #pacts: readonly PublishedPact[] | null = null

  constructor(shelf: Shelf) {
    this.#shelf = shelf
  }

  /** Every pact, oldest first. Throws `StoreError` where the index of them is wrong. */
  async list(): Promise<readonly PublishedPact[]> {
    if (this.#pacts !== null) return this.#pacts
    const kept = await this.#shelf.read(INDEX)
    const index = Index.safeParse(kept ?? { format: 1, pacts: [] })
    if (!index.success) {
      throw new StoreError(`The index of pacts is wrong: ${z.prettifyError(index.error)}`)
    }
    this.#pacts = index.data.pacts
    return this.#pacts
  }

  /** A pact by its name. Refuses one that was not published. */
  async find(name: PactName): Promise<PublishedPact | Refusal> {
    const found = (await this.list()).find((each) => isNamed(each, name))
    return found ?? refuseUnknown(name)
  }

  /** What a pact says. Refuses one that was not published. */
  async read(name: PactName): Promise<object | Refusal> {
    return (await this.#shelf.read(keyOf(name))) ?? refuseUnknown(name)
  }

  /** Keeps a pact in place of the one of the same name, whose results no longer count. Refuses one too many. */
  async publish(pact: Omit<PublishedPact, 'results'>, document: object): Promise<Refusal | null> {
    const others = (await this.list()).filter((each) => !isNamed(each, pact))
    if (others.length >= PACTS_MAX) {
      return refuse(
        'pact_limit',
        `There are ${PACTS_MAX} pacts already, the most of one sandbox; delete one first.`,
      )
    }
    await this.#shelf.write(keyOf(pact), document)
    await this.#keep([...others, { ...pact, results: [] }])
    return null
  }

  /** Keeps what a verification came to. Refuses one of a pact that was not published. */
  async addResult(
    name: PactName,
    result: Omit<VerificationResult, 'number'>,
  ): Promise<VerificationResult | Refusal> {
    const pacts = await this.list()
    const pact = pacts.find((each) => isNamed(each, name))
    if (pact === undefined) return refuseUnknown(name)
    const numbered = { ...result, number: (pact.results.at(-1)?.number ?? 0) + 1 }
    const results = [...pact.results, numbered].slice(-RESULTS_MAX)
    await this.#keep(pacts.map((each) => (each === pact ? { ...pact, results } : each)))
    return numbered
  }

  /** Forgets a pact and its results. Refuses one that was not published. */
  async remove(name: PactName): Promise<Refusal | null> {
    const pacts = await this.list()
    const rest = pacts.filter((each) => !isNamed(each, name))
    if (rest.length === pacts.length) return refuseUnknown(name)
    await this.#keep(rest)
    await this.#shelf.remove(keyOf(name))
    return null
  }

  /** A pact is published once the index names it, and not before. */
  async #keep(pacts: readonly PublishedPact[]): Promise<void> {
    await this.#shelf.write(INDEX, { format: 1, pacts })
    this.#pacts = pacts
  }
}

function isNamed(one: PactName, other: PactName): boolean {
  return keyOf(one) === keyOf(other)
}

/** Under what the shelf keeps a pact: file systems do not take every name, so it is a digest of the three. */
function keyOf({ provider, consumer, version }: PactName): string {
  const name = JSON.stringify([provider, consumer, version])
  return createHash('sha256').update(name).digest('hex').slice(0, 32)
}

function refuseUnknown({ provider, consumer, version }: PactName): Refusal {
  const id = `${consumer} ${version} for ${provider}`
  return notFound({ field: 'pact', id })
}
