/** What an advance of the clock answers. Apart from `clock.ts`, because it takes the schemas of events. */
import * as z from 'zod'
import { array, strictObject } from 'zod'
import { InstantOut, inSandbox, Natural } from '../common/fields.ts'
import { EventSchema } from '../events/event-schema.ts'
import { WireLockstepDeliveries } from '../events/webhook.ts'
import { WireNextDue } from './clock.ts'

export const WireAdvance = strictObject({
  from: InstantOut.describe('The virtual now before the advance.'),
  to: InstantOut.describe('The virtual now after the advance.'),
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
      'Why the advance stopped there: `condition_not_met` at the end of `within`; `item_limit` after a million due items; `stopped` where the server stops, or the sandbox is deleted: what was settled until `to` is stored, and another advance goes on from there; `sandbox_full` before a due item that would add one record too many. In lockstep also `receiver_loop`, at an instant at which receivers caused 1,000 events or ten times those of the clock, and `replaced`, where the sandbox was reset or restored meanwhile: then `to` is of the new world.',
    ),
  events: array(EventSchema).describe('The events of the advance, in order: the first 1,000.'),
  events_total: Natural.describe('How many events the advance had.'),
  next_due: WireNextDue,
  deliveries: WireLockstepDeliveries.optional().describe(
    'The deliveries of the events to webhooks; only in lockstep.',
  ),
}).meta(
  inSandbox(
    'Advance',
    'The result of an advance: how far the clock moved, and the events on the way.',
  ),
)
export type WireAdvance = z.input<typeof WireAdvance>
