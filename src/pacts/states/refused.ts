/**
 * How a provider state stops: at the first refusal, which is thrown from where it comes up and answered by the setup.
 * Nothing has to be undone then, because the draft is dropped.
 */
import { isRefusal, refuse } from '../../billing/refusal.ts'
import type { Refusal } from '../../world/refusal.ts'

class Refused extends Error {
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    super(refusal.message)
    this.refusal = refusal
  }
}

/** What was answered; stops where that is a refusal. */
export function must<Value>(answer: Value): Exclude<Value, Refusal> {
  if (isRefusal(answer)) throw new Refused(answer as Refusal)
  return answer as Exclude<Value, Refusal>
}

/** Stops with a refusal. */
export function stop(code: Refusal['refused'], message: string): never {
  throw new Refused(refuse(code, message))
}

/** Does what may stop, and answers the refusal where it does. */
export async function orRefusal<Value>(work: () => Value | Promise<Value>) {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Refused) return error.refusal
    throw error
  }
}
