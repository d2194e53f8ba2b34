/** The methods of virtual time that are written by hand: several ways to say how far it moves. */
import type { SandboxClock } from './sandbox.ts'
import { ConditionNotMet, objectIn } from './sandbox-error.ts'
import { answered, type Transport } from './transport.ts'

/** How far `until` moves the clock at most, by default. */
const WITHIN = 'P1Y'

/** A date as the sandbox takes it. The sandbox refuses an invalid one. */
export function textOfDate(date: Date): string {
  return Number.isNaN(date.getTime()) ? String(date) : date.toISOString()
}

export function clockCalls({
  control,
}: Transport): Pick<SandboxClock, 'now' | 'advance' | 'to' | 'toNext' | 'until'> {
  const advance: SandboxClock['advance'] = async (by) =>
    answered(control.POST('/sandbox/clock/advance', { body: typeof by === 'string' ? { by } : by }))
  return {
    now: async () => (await answered(control.GET('/sandbox/clock'))).now,
    advance,
    to: async (instant) => advance({ to: instant instanceof Date ? textOfDate(instant) : instant }),
    toNext: async (times = 1) => advance({ to_next: times }),
    until: async (condition) => {
      const { within = WITHIN, ...until } = objectIn('until', condition)
      const reached = await advance({ until, within })
      if (reached.stopped_because === 'condition_met') return reached
      throw new ConditionNotMet(
        `${until.subscription_id} did not become ${until.status} within ${within}: the clock stopped at ${reached.to}, because ${reached.stopped_because}.`,
      )
    },
  }
}
