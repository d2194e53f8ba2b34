/**
 * The capacity of a sandbox: how many records it holds of those that it may hold. Owns the refusal of one too many;
 * each command says how many it would add.
 */

import { RECORDS_MAX } from '../assumptions/bounds.ts'
import { refuse } from '../billing/refusal.ts'
import type { Changes } from '../billing/step.ts'
import { documentNames } from './collections.ts'
import type { Refusal } from './refusal.ts'
import type { World } from './world.ts'

/** How many records a world holds, events aside. */
export function recordsIn(world: World): number {
  return documentNames.reduce((sum, name) => sum + world[name].size, 0)
}

/** How many records a step adds: it changes others, but makes only subscriptions and invoices. */
export function addedBy(world: World, { subscription, invoices = [] }: Changes): number {
  const isNew = subscription !== undefined && !world.subscriptions.has(subscription.subscriptionId)
  const made = invoices.filter(({ invoiceId }) => !world.invoices.has(invoiceId)).length
  return made + (isNew ? 1 : 0)
}

/** Whether a world can take so many more records. What adds none can always be done. */
export function hasCapacity(world: World, added: number): boolean {
  return added === 0 || recordsIn(world) + added <= RECORDS_MAX
}

/** Refuses what would add so many records where the world cannot take them; null where it can. */
export function refuseWhenFull(world: World, added: number): Refusal | null {
  if (hasCapacity(world, added)) return null
  return refuse(
    'sandbox_full',
    `The sandbox holds ${recordsIn(world)} records and can take no ${added} more, because ${RECORDS_MAX} are the most of one sandbox; reset it, restore a checkpoint, or use several sandboxes.`,
  )
}

/** Refuses a whole world that holds too many records; null where it does not. */
export function refuseOversized(world: World): Refusal | null {
  if (recordsIn(world) <= RECORDS_MAX) return null
  return refuse(
    'sandbox_full',
    `A sandbox must hold at most ${RECORDS_MAX} records; got ${recordsIn(world)}.`,
  )
}
