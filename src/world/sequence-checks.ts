/**
 * Checks of counted numbers: they rise, and the sequence is the highest. A number assigned twice would overwrite a
 * record.
 */
import { numberedId } from '../billing/id.ts'
import { StateDocumentError } from './state-document-error.ts'
import type { World } from './world.ts'

/** Collections whose records are never deleted and whose ids nobody chooses. */
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

/** A number is skipped only if a caller chose its id for another subscription. */
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
