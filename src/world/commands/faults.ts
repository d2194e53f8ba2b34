/** Commands on faults: making, meeting and deleting them. */
import { FAULTS_MAX } from '../../assumptions/bounds.ts'
import { refuse } from '../../billing/refusal.ts'
import { type Executed, executed, notFound } from '../answer.ts'
import { refuseWhenFull } from '../capacity.ts'
import { type Fault, type FaultCall, hits, matches } from '../fault.ts'
import type { Refusal } from '../refusal.ts'
import { putRecord, type World } from '../world.ts'
import { nextId } from './catalog.ts'

export type NewFault = Omit<Fault, 'faultId' | 'matched' | 'used'>

/** Adds a fault after those that are there. */
export function createFault(world: World, order: NewFault): Executed<Fault> | Refusal {
  if (world.faults.size >= FAULTS_MAX) {
    const message = `There are ${FAULTS_MAX} faults already, the most of one sandbox; delete some first.`
    return refuse('fault_limit', message)
  }
  const full = refuseWhenFull(world, 1)
  if (full !== null) return full
  const fault = { faultId: nextId(world, 'faults'), ...order, matched: 0, used: 0 }
  putRecord(world, 'faults', fault)
  return executed(fault)
}

/**
 * Has every fault that matches a call count it, and the oldest that hits it be used; answers that one, null where none
 * does.
 */
export function meetFaults(world: World, call: FaultCall): Executed<Fault | null> {
  let hit: Fault | null = null
  for (const fault of world.faults.list()) {
    if (!matches(fault, call)) continue
    const matched = fault.matched + 1
    const isUsed: boolean = hit === null && hits(fault, matched)
    const counted: Fault = { ...fault, matched, used: fault.used + (isUsed ? 1 : 0) }
    putRecord(world, 'faults', counted)
    if (isUsed) hit = counted
  }
  return executed(hit)
}

export function deleteFault(world: World, faultId: string): Executed<null> | Refusal {
  const wasThere = world.faults.delete(faultId)
  return wasThere ? executed(null) : notFound({ field: 'fault_id', id: faultId }, world.faults)
}

export function clearFaults(world: World): Executed<null> {
  world.faults.clear()
  return executed(null)
}
