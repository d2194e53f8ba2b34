/**
 * The state document: one sandbox as one JSON value. Owns its shape, and how an external document is checked, record by
 * record, before it becomes a world.
 */
import * as z from 'zod'
import { type DocumentName, documentNames, recordLists } from './collections.ts'
import { Event } from './event.ts'
import { Sequences } from './sequences.ts'
import { StateDocumentError } from './state-document-error.ts'
import { TimeSlice } from './time-slice.ts'
import type { World } from './world.ts'
import { checkShape, entriesOf, Head, headOf, worldFromEntries } from './world-entries.ts'

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

type Lists = { readonly [Field in DocumentName | 'events']: Iterable<StateDocument[Field][number]> }

/** The parts of a world's document, in its order; the records of a list are produced one by one. */
export function documentParts(world: World): {
  readonly head: Omit<StateDocument, keyof Lists>
  readonly lists: Lists
} {
  const { sandboxId, sequences, events } = world
  const head = { format: STATE_FORMAT, sandboxId, ...headOf(world), sequences: { ...sequences } }
  const records = Object.fromEntries(documentNames.map((name) => [name, world[name].values()]))
  return { head, lists: { ...(records as unknown as Lists), events } }
}

/**
 * The world of an external document, under the id of its sandbox. Throws `StateDocumentError` with the path of the
 * first invalid field, or with the contradiction in the document.
 */
export async function worldOfDocument(document: unknown, sandboxId: string): Promise<World> {
  await checkDocument(document)
  const valid = document as StateDocument
  const world = await worldFromEntries(entriesOf(valid, valid), sandboxId, 'known')
  for (const name of documentNames) {
    if (world[name].size !== valid[name].length) {
      throw new StateDocumentError(name, 'holds one id twice, or an empty record')
    }
  }
  return world
}

/** Checks record by record: for the whole document, zod would copy everything and block the event loop. */
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
  const slice = new TimeSlice()
  for (const { field, schema, list } of lists) {
    for (const [index, record] of list.entries()) {
      checkShape(schema.element, record, `${field}.${index}`)
      if (slice.isOver()) await slice.next()
    }
  }
}
