/**
 * Counted numbers: whether those of a world rise, and it goes on after all of them. Were one given out again, a record
 * would be lost under another.
 */
import { numberedId } from '../billing/id.ts'
import { StateDocumentError } from './state-document-error.ts'
import type { World } from './world.ts'

/** Collections that nothing is ever deleted from, and whose ids nobody chooses. */
const counted = [
  ['invoices', 'inv_'],
  ['charges', 'ch_'],
  ['tokenFamilies', 'fam_'],
] as const

/** Throws for the first record whose number is out of order, and for a sequence that is not the newest number. */
export function* checkSequences(world: World): Generator<void> {
  check(world, 'subscriptions', yield* newestSubscription(world))
  for (const [name, prefix] of counted) {
    let count = 0
    for (const id of world[name].keys()) {
      yield
      count += 1
      const expected = numberedId(prefix, count)
      if (id !== expected) throw new StateDocumentError(id, `stands where ${expected} should`)
    }
    check(world, name, count)
  }
  check(world, 'events', world.events.newest?.seq ?? 0)
}

/** A number is passed over only where somebody chose the id that it would have given. */
function* newestSubscription({ subscriptions }: World): Generator<void, number> {
  let [newest, count] = [0, 0]
  for (const [id, { sequence }] of subscriptions) {
    yield
    count += 1
    if (sequence <= newest || sequence >= 2 * count) {
      throw new StateDocumentError(id, `has the number ${sequence} out of order`)
    }
    newest = sequence
  }
  return newest
}

function check({ sequences }: World, name: keyof World['sequences'], newest: number): void {
  if (sequences[name] === newest) return
  throw new StateDocumentError(`sequences.${name}`, `is not ${newest}, the newest number`)
}
