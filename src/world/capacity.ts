/**
 * The capacity of a sandbox: how many records it holds, and how many it may hold. Owns the refusal at the limit; each
 * command gives the number of records that it would add.
 */

import { RECORDS_MAX } from '../assumptions/bounds.ts'
import { refuse } from '../billing/refusal.ts'
import type { Changes } from '../billing/step.ts'
import { documentNames } from './collections.ts'
import type { Refusal } from './refusal.ts'
import type { World } from './world.ts'

/** The number of records in a world, without events. */
export function countRecords(world: World): number {
  return documentNames.reduce((sum, name) => sum + world[name].size, 0)
}

/** Counts by kind, in the spelling of the code. */
export type Counts = Readonly<Record<string, number>>

export function countsOf(world: World): Counts {
  const counts = documentNames.map((name) => [name, world[name].size])
  return { ...Object.fromEntries(counts), events: world.events.length }
}

/** The number of records that a step adds: a step creates only subscriptions and invoices. */
export function countAdded(world: World, { subscription, invoices = [] }: Changes): number {
  const isNew = subscription !== undefined && !world.subscriptions.has(subscription.subscriptionId)
  const made = invoices.filter(({ invoiceId }) => !world.invoices.has(invoiceId)).length
  return made + (isNew ? 1 : 0)
}

/** Whether a world can hold so many more records. A command that adds no record is always possible. */
export function hasCapacity(world: World, added: number): boolean {
  return added === 0 || countRecords(world) + added <= RECORDS_MAX
}

/** Refuses to add so many records to a full world; null if there is room. */
export function checkCapacity(world: World, added: number): Refusal | null {
  if (hasCapacity(world, added)) return null
  return refuse(
    'sandbox_full',
    `A sandbox can have at most ${RECORDS_MAX} records, and this one would have ${countRecords(world) + added}; reset it, restore a checkpoint, or use several sandboxes.`,
  )
}

/** Refuses a whole world that holds too many records; null if it does not. */
export function checkSize(world: World): Refusal | null {
  if (countRecords(world) <= RECORDS_MAX) return null
  return refuse(
    'sandbox_full',
    `A sandbox must hold at most ${RECORDS_MAX} records; got ${countRecords(world)}.`,
  )
}
