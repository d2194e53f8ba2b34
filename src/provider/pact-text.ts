/** The text of a published pact: stored compressed, because it may be long and is only ever passed on; and its digest. */
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { createGunzip, gzipSync } from 'node:zlib'
import * as z from 'zod'

/** How much of a compressed pact is stored as one string. Each can be decoded by itself. */
const pieces = /.{1,8192}/g

/** A pact as it is stored: in base64, in pieces, which a reply can be made of one by one. */
const StoredPact = z.object({ gzip: z.array(z.string()).readonly() })

/** A pact to store, and the digest of its content. */
export type ReadyPact = z.output<typeof StoredPact> & { readonly content: string }

/** The parts of a pact that decide whether a provider meets it. */
interface PactParts {
  readonly interactions?: unknown
  readonly messages?: unknown
  readonly metadata?: { readonly pactSpecification?: unknown } | null
}

/** Compresses a pact without its links. Each interaction gets an identifier, which results refer to. */
export function storedPact(document: object): ReadyPact {
  const { _links: _, ...own }: PactParts & { _links?: unknown } = document
  const { interactions } = own
  const numbered = Array.isArray(interactions) ? { interactions: interactions.map(withId) } : {}
  // Without the last brace, for members to follow.
  const text = JSON.stringify({ ...own, ...numbered }).slice(0, -1)
  const gzip = gzipSync(text, { level: 1 }).toString('base64').match(pieces) ?? []
  return { gzip, content: contentOf(own) }
}

/** The text of a stored pact, followed by more members, such as its links. */
export async function* pactText(stored: object, members: object) {
  const { gzip } = StoredPact.parse(stored)
  yield* Readable.from(gzip).pipe(createGunzip().setDefaultEncoding('base64'))
  yield `,${JSON.stringify(members).slice(1)}`
}

function withId(interaction: unknown, index: number): unknown {
  const isObject = typeof interaction === 'object' && interaction !== null
  return isObject ? { _id: String(index + 1), ...interaction } : interaction
}

/** The digest of what decides a verification, whatever the order of interactions and members, as a Pact Broker has it. */
function contentOf({ interactions, messages, metadata }: PactParts): string {
  const sorted = (list: unknown) => (Array.isArray(list) ? list.map(orderedJson).sort() : list)
  const parts = [sorted(interactions), sorted(messages), metadata?.pactSpecification]
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
}

/** An interaction as JSON, with the members of every object in one order, and without the identifier of a broker. */
function orderedJson(interaction: unknown): string {
  return JSON.stringify({ ...Object(interaction), _id: null }, (_, part) => {
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part
    return Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
  })
}
