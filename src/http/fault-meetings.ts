/**
 * Calls that met faults. Owns that each is decided after the calls before it, also while those are still under way,
 * and is counted in one commit with what its operation changes.
 */
import type { Context } from 'hono'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { orThrow } from '../surface/refusals.ts'
import { executed } from '../world/answer.ts'
import { counted, countFaults, type FaultCount, meetFaults } from '../world/commands/faults.ts'
import type { Fault, FaultCall } from '../world/fault.ts'
import type { World } from '../world/world.ts'
import { requestIdInTurn } from './request-id.ts'

/** A call that met faults, in which world, counted by how often one was replaced. */
interface Met extends FaultCount {
  readonly replacements: number
}

/** The calls that are still to be counted. */
const uncounted = new WeakMap<Sandbox, Set<Met>>()

export interface Meeting {
  /** The fault that hits the call; null for no fault. */
  readonly hit: Fault | null
  /** Counts the call by itself, unless its operation did: where that is not carried out, or was refused before its turn. */
  readonly countAlone: () => Promise<void>
  /** Whether the world that the call was sent to is gone. */
  readonly isReset: () => boolean
  readonly end: () => void
}

/** Decides which faults a call meets. Its operation counts it where it is carried out. */
export async function meeting(c: Context, call: FaultCall): Promise<Meeting> {
  const sandbox = c.get('sandbox')
  const waiting = uncountedIn(sandbox)
  const met = await decide(c, call, waiting)
  const isReset = () => met.replacements !== sandbox.replacements
  const count = (world: World) => {
    if (waiting.delete(met) && !isReset()) countFaults(world, met)
    return executed(null)
  }
  c.set('countFaults', count)
  const countAlone = async () => {
    if (!waiting.has(met) || isReset()) return
    orThrow(await sandbox.execute(count, () => requestIdInTurn(c)))
  }
  return { hit: met.hit, countAlone, isReset, end: () => waiting.delete(met) }
}

/** A fault as it stands once the calls under way are counted. */
export function withCallsUnderWay(sandbox: Sandbox, fault: Fault): Fault {
  return meetingsOf(sandbox, uncountedIn(sandbox)).reduce(counted, fault)
}

function decide(c: Context, call: FaultCall, waiting: Set<Met>): Promise<Met> {
  const sandbox = c.get('sandbox')
  let met: Met | null = null
  const forget = () => met !== null && waiting.delete(met)
  const decided = sandbox.read((world) => {
    requestIdInTurn(c)
    // A question is asked again where what it saw could not be stored.
    forget()
    const { replacements } = sandbox
    met = { ...meetFaults(world, call, meetingsOf(sandbox, waiting)), replacements }
    waiting.add(met)
    return met
  })
  decided.catch(forget)
  return decided
}

/** Those with the faults of this world. */
function meetingsOf({ replacements }: Sandbox, waiting: ReadonlySet<Met>): readonly Met[] {
  return [...waiting].filter((each) => each.replacements === replacements)
}

function uncountedIn(sandbox: Sandbox): Set<Met> {
  const known = uncounted.get(sandbox) ?? new Set()
  uncounted.set(sandbox, known)
  return known
}
