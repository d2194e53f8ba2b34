/**
 * The state document: one sandbox as one JSON value. Owns its shape, and how a document from outside is checked, record
 * by record, before a world is made of it.
 */
import * as z from 'zod'
import { type DocumentName, documentNames, recordLists } from './collections.ts'
import { Event } from './event.ts'
import { Slice } from './paced.ts'
import { Sequences } from './sequences.ts'
import { StateDocumentError } from './state-document-error.ts'
import type { World } from './world.ts'
import { checkShape, entriesOf, Head, headOf, worldFromEntries } from './world-entries.ts'

/** The version of the document's shape. */
export const STATE_FORMAT = 6 as const

const documentLists = Object.fromEntries(
  documentNames.map((name) => [name, recordLists[name]]),
) as Pick<typeof recordLists, DocumentName>

export const StateDocument = z.strictObject({
  format: z.literal(STATE_FORMAT),
  sandboxId: z.string(),
  ...Head.shape,
  sequences: Sequences,
  ...documentLists,
  events: z.array(Event),
})
export type StateDocument = z.infer<typeof StateDocument>

/** The lists of a document, by their fields. */
type Lists = { readonly [Field in DocumentName | 'events']: Iterable<StateDocument[Field][number]> }

/** The parts of the document of a world, in its order; the records of a list are taken one after another. */
export function documentParts(world: World): {
  readonly head: Omit<StateDocument, keyof Lists>
  readonly lists: Lists
} {
  const { sandboxId, sequences, events } = world
  const head = {
    format: STATE_FORMAT,
    sandboxId,
    ...headOf(world),
    sequences: { ...sequences },
  }
  const records = Object.fromEntries(documentNames.map((name) => [name, world[name].values()]))
  return { head, lists: { ...(records as unknown as Lists), events } }
}

/** Writes a world down as it is now: the records are shared, and never mutated. */
export function documentOf(world: World): StateDocument {
  const { head, lists } = documentParts(world)
  const arrays = Object.entries(lists).map(([field, records]) => [field, [...records]])
  return { ...head, ...Object.fromEntries(arrays) }
}

/**
 * The world of a document from outside, under the id of the sandbox it is for. Throws `StateDocumentError` with the path
 * of the first field that is wrong, or with what the document contradicts itself in.
 */
export async function worldOf(document: unknown, sandboxId: string): Promise<World> {
  await checkDocument(document)
  const valid = document as StateDocument
  const world = await worldFromEntries(entriesOf(valid, valid), { sandboxId, shape: 'known' })
  for (const name of documentNames) {
    if (world[name].size !== valid[name].length) {
      throw new StateDocumentError(name, 'holds one id twice, or an empty record')
    }
  }
  return world
}

/** Record by record: to check it whole, zod would make a copy of everything, and nobody else would have a turn. */
async function checkDocument(document: unknown): Promise<void> {
  const lists = Object.entries(StateDocument.shape).flatMap(([field, schema]) => {
    const list = (document as Record<string, unknown> | null)?.[field]
    return schema instanceof z.ZodArray && Array.isArray(list) ? [{ field, schema, list }] : []
  })
  const emptied = Object.fromEntries(lists.map(({ field }) => [field, []]))
  const rest = lists.length === 0 ? document : { ...(document as object), ...emptied }
  const parsed = z.safeParse(StateDocument, rest)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new StateDocumentError(issue?.path.join('.') || 'document', issue?.message ?? 'is wrong')
  }
  const slice = new Slice()
  for (const { field, schema, list } of lists) {
    for (const [index, record] of list.entries()) {
      checkShape(schema.element, record, `${field}.${index}`)
      if (slice.isOver()) await slice.next()
    }
  }
}
