/**
 * Counted numbers: whether those of a world rise, and it goes on after all of them. Were one given out again, a record
 * would be lost under another.
 */
import { numberedId } from '../billing/id.ts'
import { StateDocumentError } from './state-document-error.ts'
import type { World } from './world.ts'

/** Throws for the first record whose number is out of order, and for a sequence that is not the newest number. */
export function* checkSequences(world: World): Generator<void> {
  check(world, 'subscriptions', yield* newestOf(world.subscriptions))
  check(world, 'invoices', yield* newestOf(world.invoices))
  yield* checkIds(world, 'invoices', 'inv_')
  yield* checkIds(world, 'charges', 'ch_')
  yield* checkIds(world, 'tokenFamilies', 'fam_')
  check(world, 'events', world.events.newest?.seq ?? 0)
}

/** A number is passed over only where somebody chose the id that it would have given. */
function* newestOf(
  records: ReadonlyMap<string, { readonly sequence: number }>,
): Generator<void, number> {
  let [newest, count] = [0, 0]
  for (const [id, { sequence }] of records) {
    yield
    count += 1
    if (sequence <= newest || sequence >= 2 * count) {
      throw new StateDocumentError(id, `has the number ${sequence} out of order`)
    }
    newest = sequence
  }
  return newest
}

/** Nothing of these is ever deleted, and nobody chooses their ids. */
function* checkIds(
  world: World,
  name: 'invoices' | 'charges' | 'tokenFamilies',
  prefix: string,
): Generator<void> {
  let count = 0
  for (const id of world[name].keys()) {
    yield
    count += 1
    const expected = numberedId(prefix, count)
    if (id !== expected) throw new StateDocumentError(id, `stands where ${expected} should`)
  }
  check(world, name, count)
}

function check({ sequences }: World, name: keyof World['sequences'], newest: number): void {
  if (sequences[name] === newest) return
  throw new StateDocumentError(`sequences.${name}`, `is not ${newest}, the newest number`)
}
