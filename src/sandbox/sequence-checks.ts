/**
 * Counted ids and numbers: whether a world gave out each of them once, in order, and goes on with the next. Were one
 * given out again, a record would be lost under another.
 */
import { StateDocumentError } from './state-document-error.ts'
import type { World } from './world.ts'

/** Throws for the first record that does not have the number of its place. */
export function* checkSequences(world: World): Generator<void> {
  yield* checkCounted(world, 'invoices', 'inv')
  yield* checkCounted(world, 'charges', 'ch')
  yield* checkCounted(world, 'tokenFamilies', 'fam')
  for (const { invoiceId, sequence } of world.invoices.values()) {
    yield
    if (invoiceId === countedId('inv', sequence)) continue
    throw new StateDocumentError(invoiceId, 'does not have the id of its number')
  }
  yield* checkSubscriptions(world)
  const newest = world.events.newest?.seq ?? 0
  if (world.sequences.events !== newest) refuse('events', `is not ${newest}, the newest number`)
}

/** Nothing of these is ever deleted, and nobody chooses their ids. */
function* checkCounted(
  world: World,
  name: 'invoices' | 'charges' | 'tokenFamilies',
  prefix: string,
): Generator<void> {
  let count = 0
  for (const id of world[name].keys()) {
    yield
    count += 1
    const expected = countedId(prefix, count)
    if (id !== expected) throw new StateDocumentError(id, `stands where ${expected} should`)
  }
  if (world.sequences[name] !== count) refuse(name, `is not ${count}, the newest number`)
}

/** Numbers rise, and one is passed over only where somebody chose the id that it would have given. */
function* checkSubscriptions({ subscriptions, sequences }: World): Generator<void> {
  let newest = 0
  let count = 0
  for (const { subscriptionId, sequence } of subscriptions.values()) {
    yield
    count += 1
    if (sequence <= newest || sequence >= 2 * count) {
      throw new StateDocumentError(subscriptionId, `has the number ${sequence} out of order`)
    }
    newest = sequence
  }
  if (sequences.subscriptions !== newest) {
    refuse('subscriptions', `is not ${newest}, the newest number`)
  }
}

function countedId(prefix: string, number: number): string {
  return `${prefix}_${String(number).padStart(6, '0')}`
}

function refuse(name: keyof World['sequences'], why: string): never {
  throw new StateDocumentError(`sequences.${name}`, why)
}
