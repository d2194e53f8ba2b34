import { describe, expect, it } from 'vitest'
import { type CommandTrigger, isAllowed, Status, statusTable } from '../../src/billing/status.ts'
import { behavesAsItMust } from '../support/status-rules.ts'

const commandTriggers: readonly CommandTrigger[] = [
  'change_plan',
  'pause',
  'resume',
  'cancel_now',
  'cancel_at_period_end',
  'remove_scheduled_cancellation',
  'apply_coupon',
  'extend_trial',
]

/** Every way to make one entry of the table false: to drop it, and to have it lead somewhere else. */
const falsehoods = Status.options.flatMap((status) =>
  Object.entries(statusTable[status]).flatMap(([trigger, entry]) => {
    const others =
      typeof entry === 'string'
        ? Status.options.filter((each) => each !== entry)
        : entry.map((_, at) => entry.toSpliced(at, 1))
    return [undefined, ...others].map((other) => ({ status, trigger, entry, other }))
  }),
)

const missing = Status.options.flatMap((status) =>
  commandTriggers
    .filter((trigger) => !isAllowed(status, trigger))
    // A coupon is refused before anybody asks whether it may extend the trial.
    .filter((trigger) => trigger !== 'extend_trial' || isAllowed(status, 'apply_coupon'))
    // What expired was never set to cancel, so that there is nothing to remove.
    .filter((trigger) => trigger !== 'remove_scheduled_cancellation' || status !== 'expired')
    .map((trigger) => ({ status, trigger, entry: undefined, other: status })),
)

describe('the status table', () => {
  it('6.1: says what every status does, by itself and when asked', () => {
    expect(behavesAsItMust()).toBe(true)
  })

  it.each([...falsehoods, ...missing])(
    '10.5: is found to be false where $trigger while $status leads to $other in place of $entry',
    ({ status, trigger, entry, other }) => {
      const row = statusTable[status]
      try {
        if (other === undefined) Reflect.deleteProperty(row, trigger)
        else Reflect.set(row, trigger, other)
        expect(behavesAsItMust()).toBe(false)
      } finally {
        if (entry === undefined) Reflect.deleteProperty(row, trigger)
        else Reflect.set(row, trigger, entry)
      }
    },
  )
})
