/** Commands on faults: create, count and delete them. */
import { FAULTS_MAX } from '../../assumptions/bounds.ts'
import { refuse } from '../../billing/refusal.ts'
import { checkCapacity } from '../capacity.ts'
import { type Fault, type FaultCall, hits, matches } from '../fault.ts'
import type { Refusal } from '../refusal.ts'
import { notFound, type Success, success } from '../results.ts'
import { putRecord, type World } from '../world.ts'
import { nextId } from './catalog.ts'

export type NewFault = Omit<Fault, 'faultId' | 'matched' | 'used'>

export function createFault(world: World, order: NewFault): Success<Fault> | Refusal {
  if (world.faults.size >= FAULTS_MAX) {
    const message = `A sandbox can have at most ${FAULTS_MAX} faults; delete one first.`
    return refuse('fault_limit', message)
  }
  const full = checkCapacity(world, 1)
  if (full !== null) return full
  const fault = { faultId: nextId(world, 'faults'), ...order, matched: 0, used: 0 }
  putRecord(world, 'faults', fault)
  return success(fault)
}

/** The result of one call for the faults of a world: the ids of all that match it, and the one that hits it. */
export interface FaultHits {
  readonly matching: ReadonlySet<string>
  readonly hit: Fault | null
}

/** The faults that match a call, and the oldest that hits it, after the calls that are not counted yet. Changes nothing. */
export function matchFaults(
  world: World,
  call: FaultCall,
  uncounted: readonly FaultHits[],
): FaultHits {
  const matching = new Set<string>()
  let hit: Fault | null = null
  for (const stored of world.faults.values()) {
    const fault = uncounted.reduce(countFault, stored)
    if (!matches(fault, call)) continue
    matching.add(fault.faultId)
    if (hit === null && hits(fault, fault.matched + 1)) hit = fault
  }
  return { matching, hit }
}

export function countFaults(world: World, count: FaultHits): void {
  for (const faultId of count.matching) {
    const fault = world.faults.get(faultId)
    if (fault !== undefined) putRecord(world, 'faults', countFault(fault, count))
  }
}

export function countFault(fault: Fault, { matching, hit }: FaultHits): Fault {
  if (!matching.has(fault.faultId)) return fault
  const isUsed = hit?.faultId === fault.faultId
  return { ...fault, matched: fault.matched + 1, used: fault.used + (isUsed ? 1 : 0) }
}

export function deleteFault(world: World, faultId: string): Success<null> | Refusal {
  const wasThere = world.faults.delete(faultId)
  return wasThere ? success(null) : notFound(world.faults, 'fault_id', faultId)
}

export function clearFaults(world: World): Success<null> {
  world.faults.clear()
  return success(null)
}
