/**
 * A deviation: what the service of one server does otherwise in all its sandboxes, as a real service might. Owns which
 * calls its fault hits. The rows are in deviations.
 */
import type { AssumptionSlug } from '../../assumptions/register.ts'
import type { Instant } from '../../time/instant.ts'
import type { Fault, FaultCall } from '../../world/fault.ts'

/** Decides new fields and new statuses where nothing else does. */
export const DEFAULT_SEED = 1

export interface Deviation {
  /** Such as `fault/500/createSubscription`. */
  readonly name: string
  /** What the service does. */
  readonly text: string
  /** The assumption that every new sandbox decides otherwise. */
  readonly vary?: AssumptionSlug
  /** Where the clocks of new sandboxes start that say nothing else. */
  readonly now?: Instant
  readonly evolve?: Evolution
  readonly hasLowerCaseHeaders?: boolean
  readonly fault?: DeviatingFault
}

/** An answer on /v1, before it is written. */
export interface VariedAnswer {
  readonly status: number
  readonly body: unknown
}

export type AnswerFields = Readonly<Record<string, unknown>>

/** Changes an answer on /v1, by what it rests on. */
export type Evolution = (answer: VariedAnswer, restsOn: ReadonlySet<string>) => VariedAnswer

/** Changes the body of an answer. */
export function withBody(change: (body: AnswerFields) => AnswerFields) {
  return ({ status, body }: VariedAnswer): VariedAnswer => {
    return { status, body: change(body as AnswerFields) }
  }
}

/** A fault of the server, not of a sandbox: a reset does not clear it, and lists of faults do not show it. */
export interface DeviatingFault {
  readonly fault: Fault
  /** Null to hit each different request once; else every call for so long, from the first one to the operation on. */
  readonly forMs: number | null
  /** Whether it then hits calls to other operations too. */
  readonly isOutage: boolean
}

/** A call, and the text of its request, by which a repetition is known. */
interface FaultedCall extends Pick<FaultCall, 'operation'> {
  readonly request: string
}

/** A deviation at work in one server. */
export interface DeviationInForce extends Pick<Deviation, 'evolve' | 'hasLowerCaseHeaders'> {
  /** The fault that hits a call; null for none. */
  readonly faultOf?: (call: FaultedCall) => Fault | null
}

export function inForce({ fault, ...deviation }: Deviation): DeviationInForce {
  return fault === undefined ? deviation : { ...deviation, faultOf: faultsOf(fault) }
}

function faultsOf({ fault, forMs, isOutage }: DeviatingFault): (call: FaultedCall) => Fault | null {
  const hit = new Set<string>()
  let beganAt: number | null = null
  return ({ operation, request }) => {
    const isMatch = operation === fault.match.operation
    if (forMs === null) {
      if (!isMatch || hit.has(request)) return null
      hit.add(request)
      return fault
    }
    if (isMatch) beganAt ??= performance.now()
    const isOver = beganAt === null || performance.now() - beganAt >= forMs
    return isOver || !(isMatch || isOutage) ? null : fault
  }
}
