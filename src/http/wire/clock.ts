/** The virtual clock on the wire. */
import { z } from 'zod'
import { WireDueItem, WireEvent } from './event.ts'
import { DurationIn, InstantIn, InstantOut, Reference } from './fields.ts'
import { WireStatus } from './subscription.ts'

const sandbox = { source: 'sandbox' }
const HOPS_MAX = 100_000

const Mode = z.enum(['frozen', 'running']).meta({
  accepts: 'frozen or running',
  description: 'Whether time passes by itself.',
})

export const WireClock = z
  .strictObject({
    now: InstantOut.meta({ description: 'The virtual now.' }),
    mode: Mode,
    next_due: WireDueItem.nullable(),
  })
  .meta({ id: 'Clock', description: 'Where the virtual clock stands.', ...sandbox })
export type WireClock = z.input<typeof WireClock>

export const ClockSet = z
  .union([
    z.strictObject({ now: InstantIn, mode: Mode.optional() }),
    z.strictObject({ mode: Mode }),
  ])
  .meta({ id: 'ClockSet', accepts: 'an object with now or mode or both', ...sandbox })

const dryRun = {
  dry_run: z
    .boolean()
    .default(false)
    .meta({ accepts: 'true or false', description: 'Whether to change nothing at all.' }),
}

const Until = z
  .strictObject({
    subscription_id: Reference.meta({ accepts: 'the identifier of a subscription' }),
    status: WireStatus,
  })
  .meta({ accepts: 'an object with subscription_id and status' })

export const ClockAdvance = z
  .union([
    z.strictObject({ by: DurationIn.meta({ description: 'How far.' }), ...dryRun }),
    z.strictObject({ to: InstantIn.meta({ description: 'Where to.' }), ...dryRun }),
    z.strictObject({
      to_next: z
        .int()
        .min(1)
        .max(HOPS_MAX)
        .meta({
          accepts: `an integer from 1 to ${HOPS_MAX}`,
          description: 'How many instants at which something falls due.',
        }),
      ...dryRun,
    }),
    z.strictObject({
      until: Until.meta({ description: 'What to wait for.' }),
      within: DurationIn.meta({ description: 'How far to go at most.' }),
      ...dryRun,
    }),
  ])
  .meta({
    id: 'ClockAdvance',
    accepts: 'an object with exactly one of by, to, to_next, or until with within',
    ...sandbox,
  })

export const WireAdvance = z
  .strictObject({
    from: InstantOut.meta({ description: 'Where the clock stood.' }),
    to: InstantOut.meta({ description: 'Where it stands.' }),
    stopped_because: z
      .enum(['reached', 'condition_met', 'limit'])
      .meta({ description: 'Why it stopped there.' }),
    events: z.array(WireEvent).meta({ description: 'What happened, in order; the first 1,000.' }),
    events_total: z.int().min(0).meta({ description: 'How many events there were.' }),
    next_due: WireDueItem.nullable(),
  })
  .meta({ id: 'Advance', description: 'How far the clock went, and what happened.', ...sandbox })
export type WireAdvance = z.input<typeof WireAdvance>

/** How far ahead an agenda looks. */
export const agendaFilter = {
  before: InstantIn.meta({ description: 'The instant before which it must fall due.' }),
}
