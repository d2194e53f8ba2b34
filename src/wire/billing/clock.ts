/** The virtual clock on the wire. */
import * as z from 'zod'
import { boolean, int, strictObject, string, xor } from 'zod'
import { InvoiceStatus } from '../../billing/invoice.ts'
import { COUNT_MAX } from '../../billing/money.ts'
import { CLOCK_MAX } from '../../world/advance.ts'
import {
  Amount,
  boundedInt,
  Currency,
  DurationIn,
  InstantIn,
  InstantOut,
  inSandbox,
  PageQuery,
  pageOf,
  referenceTo,
  SubscriptionIds,
  sourced,
} from '../common/fields.ts'
import { WireDueItem } from '../events/event.ts'
import { StatusName, WireSubscription } from './subscription.ts'

const HOPS_MAX = 10_000

/** Refused by the state and not by the shape, so that no pattern says it. */
const clockEnd = `The clock ends at ${CLOCK_MAX}.`

const Mode = z.enum(['frozen', 'running']).meta({
  accepts: 'frozen or running',
  description: 'frozen: the clock moves on request only. running: it follows real time.',
})

export const WireNextDue = WireDueItem.nullable().describe(
  'The item that falls due next; null if nothing will fall due.',
)

export const WireClock = strictObject({
  now: InstantOut.describe('The instant at which the virtual clock stands.'),
  mode: Mode,
  next_due: WireNextDue,
}).meta(inSandbox('Clock', 'The virtual clock, and the next due item.'))
export type WireClock = z.input<typeof WireClock>

export const ClockSet = strictObject({
  now: InstantIn.optional().describe(
    `The instant to which the clock moves first; what falls due on the way is settled. ${clockEnd}`,
  ),
  mode: Mode.optional(),
})
  .refine(({ now, mode }) => now !== undefined || mode !== undefined)
  .meta({
    ...inSandbox('ClockSet', 'The instant and the mode to set.'),
    accepts: 'an object with now, mode or both',
    minProperties: 1,
  })

const RECEIVER_TIMEOUT_MAX = 60_000

const manner = {
  dry_run: boolean()
    .default(false)
    .describe('Whether to compute the answer without changing anything.'),
  lockstep: sourced('webhooks', boolean().default(false)).describe(
    'Whether to stop at each instant that has events for webhooks, deliver them in order, and answer calls of the receivers, before the clock moves on.',
  ),
  receiver_timeout_ms: sourced(
    'webhooks',
    boundedInt(1, RECEIVER_TIMEOUT_MAX, 'milliseconds').default(10_000),
  ).describe('How long to wait for each receiver of a webhook in lockstep, in milliseconds.'),
}

const Until = strictObject({
  subscription_id: referenceTo('subscription'),
  status: StatusName,
}).meta({ accepts: 'an object with subscription_id and status' })

export const ClockAdvance = xor([
  strictObject({
    by: DurationIn.describe(`The duration to move the clock by. ${clockEnd}`),
    ...manner,
  }).meta({
    id: 'ClockAdvanceBy',
    description: 'An advance by a duration.',
  }),
  strictObject({
    to: InstantIn.describe(`The instant to move the clock to. ${clockEnd}`),
    ...manner,
  }).meta({
    id: 'ClockAdvanceTo',
    description: 'An advance to an instant.',
  }),
  strictObject({
    to_next: int()
      .min(1)
      .max(HOPS_MAX)
      .describe('The number of instants with due items to advance to, one after another.'),
    ...manner,
  }).meta({
    id: 'ClockAdvanceToNext',
    description: 'An advance to the next instants with due items.',
  }),
  strictObject({
    until: Until.describe('The subscription and the status at which the clock stops.'),
    within: DurationIn.optional().describe(
      'The duration after which the clock stops without that status; a year by default.',
    ),
    ...manner,
  }).meta({
    id: 'ClockAdvanceUntil',
    description: 'An advance until a subscription has a status.',
  }),
]).meta({
  ...inSandbox('ClockAdvance', 'How far to advance the virtual clock, and how.'),
  accepts: 'an object with exactly one of by, to, to_next, or until, perhaps with within',
})

/** How far ahead an agenda looks, and from which item on. */
export const AgendaQuery = strictObject({
  before: InstantIn.optional().describe(
    'Only items that fall due before this instant. Default: one year after the virtual now.',
  ),
  limit: PageQuery.shape.limit,
  after: int()
    .min(0)
    .max(COUNT_MAX)
    .default(0)
    .meta({
      accepts: 'the next_after of the page before, or 0',
      description: 'The number of items to skip: `next_after` of the previous page.',
      examples: [2],
    }),
  subscription_id: SubscriptionIds.optional().describe(
    'Only items of these subscriptions, including payment retries of their invoices: up to 100 identifiers, separated by commas.',
  ),
})

/** Until when a look-ahead is complete, beside a page of it. */
export const outlook = {
  complete_until: InstantOut.describe(
    'The instant before which nothing is missing, up to the end of this page.',
  ),
  stopped_because: z
    .enum(['reached', 'item_limit', 'sandbox_full'])
    .describe(
      'Why the look ahead ended: `reached` at the requested instant, or where the page ends; `item_limit` after a million due items; `sandbox_full` before a due item that would add one record too many. What comes later is missing then.',
    ),
}

const WireAgendaItem = WireDueItem.extend({
  subscription_id: sourced('sandbox', string()).describe(
    'The identifier of the subscription that the item belongs to.',
  ),
  subject: WireDueItem.shape.subject.describe('The record that falls due.'),
  status: sourced('sandbox', WireSubscription.shape.status).describe(
    'The status of the subscription after the item, if nothing changes until then.',
  ),
  plan: sourced('sandbox', WireSubscription.shape.plan).describe(
    'The plan of the subscription after the item.',
  ),
  amount_due: sourced('sandbox', Amount.nullable()).describe(
    'The amount due of the invoice that the item makes, or whose payment it tries again, in minor units; null if there is no invoice.',
  ),
  discount_total: sourced('sandbox', Amount.nullable()).describe(
    'What discounts take off the invoice, in minor units; null if there is no invoice.',
  ),
  currency: sourced('sandbox', Currency.nullable()).describe(
    'The ISO 4217 code of the currency of the amounts; null if there is no invoice.',
  ),
  invoice_status: sourced('sandbox', InvoiceStatus.nullable()).describe(
    'The status of the invoice after the item; null if there is no invoice.',
  ),
}).meta(inSandbox('AgendaItem', 'An item that will fall due, and the status that follows.'))

/** What will fall due, in order; `next_after` is a count of items. */
export const WireAgenda = pageOf('AgendaItem', WireAgendaItem, int())
  .extend(outlook)
  .meta(inSandbox('Agenda', 'One page of the items that will fall due.'))
export type WireAgenda = z.input<typeof WireAgenda>
