import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isRefusal } from '../../src/billing/refusal.ts'
import { Checkpoints } from '../../src/sandbox/checkpoints.ts'
import { memoryStore } from '../../src/store/memory-store.ts'
import type { NewDocument, StoredDocument, StoredSandbox } from '../../src/store/store.ts'
import type { World } from '../../src/world/world.ts'
import { type Action, bytesOf, history, perform, performAll, RUNS } from '../support/shop.ts'

const TIMEOUT_MS = 300_000

it.each([
  ['in memory', (stored: StoredSandbox) => stored],
  ['as text', asText],
])(
  'a checkpoint kept %s returns to the same bytes after any history, which then repeats itself',
  async (_, kept) => {
    const property = fc.asyncProperty(history, history, async (earlier, later) => {
      const world = await performAll(earlier)
      const checkpoints = new Checkpoints(kept(await memoryStore().open('shop')))
      await checkpoints.create(world, 'then')
      const then = bytesOf(world)
      const after = bytesOf(await goOn(world, later))
      for (let time = 0; time < 2; time += 1) {
        const again = await checkpoints.worldAt('then', 'shop')
        if (isRefusal(again)) throw new Error(again.message)
        expect(bytesOf(again)).toBe(then)
        expect(bytesOf(await goOn(again, later))).toBe(after)
      }
    })
    await fc.assert(property, RUNS)
  },
  TIMEOUT_MS,
)

/** A place in the store that answers what a disk would. */
function asText(stored: StoredSandbox): StoredSandbox {
  const folder = stored.documents('checkpoints')
  const asWritten = (document: StoredDocument | NewDocument) =>
    'entries' in document
      ? { ...document, entries: JSON.parse(JSON.stringify([...document.entries])) }
      : document
  return {
    ...stored,
    isVolatile: false,
    documents: () => ({
      get documents() {
        return folder.documents
      },
      read: (document) => folder.read(document),
      set: (documents) => folder.set(documents.map(asWritten)),
    }),
  }
}

async function goOn(world: World, actions: readonly Action[]): Promise<World> {
  for (const action of actions) await perform(world, action)
  return world
}
