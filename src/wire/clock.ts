/** The virtual clock on the wire. */
import * as z from 'zod'
import { array, boolean, int, strictObject, string, xor } from 'zod'
import { COUNT_MAX } from '../billing/money.ts'
import { CLOCK_MAX } from '../world/advance.ts'
import { WireDueItem, WireEvent } from './event.ts'
import {
  boundedInt,
  DurationIn,
  InstantIn,
  InstantOut,
  inSandbox,
  Natural,
  PageQuery,
  pageOf,
  Reference,
  SubscriptionIds,
  sandbox,
  sourced,
} from './fields.ts'
import { StatusName, WireSubscription } from './subscription.ts'
import { WireLockstepDeliveries } from './webhook.ts'

const HOPS_MAX = 10_000

/** Refused by the state and not by the shape, so that no pattern says it. */
const clockEnd = `The clock goes no further than ${CLOCK_MAX}.`

const Mode = z.enum(['frozen', 'running']).meta({
  accepts: 'frozen or running',
  description: 'Whether time passes by itself.',
})

export const WireClock = strictObject({
  now: InstantOut.describe('The virtual now.'),
  mode: Mode,
  next_due: WireDueItem.nullable(),
}).meta(inSandbox('Clock', 'Where the virtual clock stands.'))
export type WireClock = z.input<typeof WireClock>

export const ClockSet = strictObject({
  now: InstantIn.optional().describe(
    `Where the clock moves to first; what falls due on the way is settled. ${clockEnd}`,
  ),
  mode: Mode.optional(),
})
  .refine(({ now, mode }) => now !== undefined || mode !== undefined)
  .meta({
    id: 'ClockSet',
    accepts: 'an object with now, mode or both',
    minProperties: 1,
    ...sandbox,
  })

const RECEIVER_TIMEOUT_MAX = 60_000

const manner = {
  dry_run: boolean().default(false).describe('Whether to change nothing at all.'),
  lockstep: sourced('webhooks', boolean().default(false)).describe(
    'Whether to stop at each instant that has events for webhooks, deliver them in order, and serve what the receivers ask meanwhile, before time goes on.',
  ),
  receiver_timeout_ms: sourced(
    'webhooks',
    boundedInt(1, RECEIVER_TIMEOUT_MAX, 'milliseconds').default(10_000),
  ).describe('How long each receiver is waited for in lockstep.'),
}

const Until = strictObject({
  subscription_id: Reference.meta({ accepts: 'the identifier of a subscription' }),
  status: StatusName,
}).meta({ accepts: 'an object with subscription_id and status' })

export const ClockAdvance = xor([
  strictObject({ by: DurationIn.describe(`How far. ${clockEnd}`), ...manner }).meta({
    id: 'ClockAdvanceBy',
  }),
  strictObject({ to: InstantIn.describe(`Where to. ${clockEnd}`), ...manner }).meta({
    id: 'ClockAdvanceTo',
  }),
  strictObject({
    to_next: int().min(1).max(HOPS_MAX).describe('How many instants at which something falls due.'),
    ...manner,
  }).meta({ id: 'ClockAdvanceToNext' }),
  strictObject({
    until: Until.describe('What to wait for.'),
    within: DurationIn.describe('How far to go at most.'),
    ...manner,
  }).meta({ id: 'ClockAdvanceUntil' }),
]).meta({
  id: 'ClockAdvance',
  accepts: 'an object with exactly one of by, to, to_next, or until with within',
  ...sandbox,
})

export const WireAdvance = strictObject({
  from: InstantOut.describe('Where the clock stood.'),
  to: InstantOut.describe('Where it stands.'),
  stopped_because: z
    .enum([
      'reached',
      'condition_met',
      'condition_not_met',
      'item_limit',
      'stopped',
      'sandbox_full',
      'receiver_loop',
      'replaced',
    ])
    .describe(
      'Why it stopped there: `condition_not_met` at the end of `within`; `item_limit` after a million due items; `stopped` where the server stops, or the sandbox is deleted: what was settled until `to` is stored, and another advance goes on from there; `sandbox_full` before a due item that would add one record too many. In lockstep also `receiver_loop`, at an instant at which receivers caused 1,000 events or ten times those of the clock, and `replaced`, where the sandbox was reset or restored meanwhile: then `to` is of the new world.',
    ),
  events: array(WireEvent).describe('What happened, in order; the first 1,000.'),
  events_total: Natural.describe('How many events there were.'),
  next_due: WireDueItem.nullable(),
  deliveries: WireLockstepDeliveries.optional().describe(
    'What came of the deliveries to webhooks; only in lockstep.',
  ),
}).meta(inSandbox('Advance', 'How far the clock went, and what happened.'))
export type WireAdvance = z.input<typeof WireAdvance>

/** How far ahead an agenda looks, and from which item on. */
export const AgendaQuery = strictObject({
  before: InstantIn.optional().describe(
    'The instant before which it must fall due; a year from now by default.',
  ),
  limit: PageQuery.shape.limit,
  after: int().min(0).max(COUNT_MAX).default(0).meta({
    accepts: 'the next_after of the page before, or 0',
    description: 'How many items to pass over.',
  }),
  subscription_id: SubscriptionIds.optional().describe(
    'Only what falls due for these subscriptions, retries of their invoices too: up to 100 identifiers, separated by commas.',
  ),
})

/** How far a look ahead came, beside the page of what it found. */
export const outlook = {
  complete_until: InstantOut.describe(
    'Nothing that happens before this instant is missing up to the end of this page.',
  ),
  stopped_because: z
    .enum(['reached', 'item_limit', 'sandbox_full'])
    .describe(
      'Why it looked no further: `reached` where it was asked to, or where the page ends; `item_limit` after a million due items; `sandbox_full` before a due item that would add one record too many. What comes later is missing then.',
    ),
}

const WireAgendaItem = WireDueItem.extend({
  subscription_id: string().describe('The subscription that it belongs to.').meta(sandbox),
  status: WireSubscription.shape.status
    .describe('The status that it leaves the subscription in, as things stand.')
    .meta(sandbox),
}).meta(inSandbox('AgendaItem', 'Something that falls due, and what comes of it.'))

/** What will fall due, in order; `next_after` is a count of items. */
export const WireAgenda = pageOf('AgendaItem', WireAgendaItem, int())
  .extend(outlook)
  .meta(inSandbox('Agenda'))
export type WireAgenda = z.input<typeof WireAgenda>
