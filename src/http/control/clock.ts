/** The virtual clock: its now, how it moves, and what will fall due. */
import type { Context } from 'hono'
import type * as z from 'zod'
import { statusName } from '../../billing/status.ts'
import { destinationOf, lookAheadEnd, presentOutlook } from '../../operations/horizon.ts'
import { worldLookAhead, worldQuery } from '../../operations/operation.ts'
import { parseStatus } from '../../operations/page.ts'
import type { LockstepAdvance } from '../../sandbox/clock-moves.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { endpoints, json, reply } from '../../surface/declarations.ts'
import { ok, route } from '../../surface/operation.ts'
import { invalidField, orThrow } from '../../surface/refusals.ts'
import { WireAdvance } from '../../wire/billing/advance.ts'
import {
  AgendaQuery,
  ClockAdvance,
  ClockSet,
  WireAgenda,
  WireClock,
} from '../../wire/billing/clock.ts'
import { snakeKeys } from '../../wire/common/case.ts'
import { presentEvent } from '../../wire/events/event.ts'
import { advance, type Destination, nextDue } from '../../world/advance.ts'
import type { Pace } from '../../world/engine.ts'
import { agenda } from '../../world/forecast.ts'
import { settingsOf, type World } from '../../world/world.ts'
import { noting } from '../request/context.ts'
import { requestIdInTurn, requestIdOf } from '../request-id.ts'

const { get, post, put } = endpoints('Clock')

export const clockOperations = [
  worldQuery({
    ...get('/sandbox/clock', 'retrieveClock'),
    summary: 'Read the virtual clock',
    description: 'Returns the virtual now, whether the clock runs, and the next due item.',
    replies: reply.ok('The clock.', WireClock),
    read: presentClock,
  }),
  route({
    ...put('/sandbox/clock', 'setClock'),
    summary: 'Set the virtual clock',
    description:
      'Moves the clock to `now`, settles what falls due on the way, and then freezes the clock or lets it run. Where an advance would stop before `now`, the clock does too, and `mode` stays as it is. A running clock follows real time from its current instant.',
    body: { ...json, schema: ClockSet },
    replies: reply.ok('The clock.', WireClock),
    refusals: ['clock_backwards', 'clock_limit', 'clock_busy'],
    answer: async ({ body, c }) => {
      const order = { now: body.now ?? null, mode: body.mode ?? null }
      const { clock } = c.get('sandbox')
      const answer = noting(c, presentClock)
      return ok(orThrow(await clock.set(order, () => requestIdInTurn(c), answer)))
    },
  }),
  route({
    ...post('/sandbox/clock/advance', 'advanceClock'),
    summary: 'Advance the virtual clock',
    description:
      'Moves the clock and settles everything that falls due on the way, oldest first, before it answers. With `dry_run` the answer is the same, but nothing changes. With `lockstep` the clock stops at each instant with events for webhooks, until their receivers have answered; no other call can move it meanwhile.',
    body: { ...json, schema: ClockAdvance },
    replies: reply.ok('The result of the advance.', WireAdvance),
    refusals: ['not_found', 'clock_backwards', 'clock_limit', 'clock_busy', 'clock_running'],
    answer: async ({ body, c }) => {
      c.set('isDryRun', body.dry_run)
      if (body.lockstep) return ok(await advanceInLockstep(c, body))
      const sandbox = c.get('sandbox')
      const destination = destinationIn(body, sandbox)
      const advanced = orThrow(
        await (body.dry_run
          ? dryRun(c, destination)
          : sandbox.clock.advance(destination, () => requestIdInTurn(c))),
      )
      if (!body.dry_run) c.set('turn', { at: advanced.to, settings: sandbox.settings })
      return ok({ ...snakeKeys(advanced), events: advanced.events.map(presentEvent) })
    },
  }),
  worldLookAhead({
    ...get('/sandbox/agenda', 'listAgenda'),
    summary: 'List the agenda',
    description:
      'Lists the items that will fall due, in the order in which an advance settles them. The clock does not move: the list is computed on a copy, while other calls are answered. With `subscription_id` the copy settles only the subscriptions of the same customers; numbers of future invoices can then differ from those of an advance, and the records of other customers do not count toward the limits of the sandbox. While the whole sandbox has scripted payment outcomes, which all customers share, all subscriptions are settled until these are used up.',
    query: AgendaQuery,
    replies: reply.ok('One page of the agenda.', WireAgenda),
    refusals: ['clock_limit'],
    lookAhead: agendaPage,
  }),
]

async function agendaPage(
  fork: World,
  { before: requested, limit, after: passed, subscription_id }: z.output<typeof AgendaQuery>,
  pace: Pace,
): Promise<WireAgenda> {
  const before = lookAheadEnd(fork, 'before', requested)
  const order = { before, limit: passed + limit + 1, subscriptionIds: subscription_id }
  const found = await agenda(fork, order, pace)
  const hasMore = found.items.length > passed + limit
  const settings = settingsOf(fork)
  const data = found.items
    .slice(passed, passed + limit)
    .map((item) => ({ ...snakeKeys(item), status: statusName(item.status, settings) }))
  const nextAfter = hasMore ? passed + limit : null
  return { data, has_more: hasMore, next_after: nextAfter, ...presentOutlook(found) }
}

/** The same advance of a fork. */
function dryRun(c: Context, destination: Destination) {
  const cause = { kind: 'clock', requestId: requestIdInTurn(c) } as const
  const work = (fork: World, pace: Pace) => advance(fork, destination, { cause, pace })
  return c.get('sandbox').lookAhead(work, c.req.raw.signal)
}

async function advanceInLockstep(
  c: Context,
  body: z.output<typeof ClockAdvance>,
): Promise<WireAdvance> {
  if (body.dry_run) {
    const rule = 'must be false with dry_run, which delivers no events; got true'
    throw invalidField('lockstep', rule)
  }
  const sandbox = c.get('sandbox')
  const advanced = orThrow<LockstepAdvance>(
    await sandbox.clock.lockstep({
      destination: destinationIn(body, sandbox),
      receiverTimeoutMs: body.receiver_timeout_ms,
      cause: { kind: 'clock', requestId: requestIdOf(c) },
      client: c.req.raw.signal,
    }),
  )
  const { failures, ...summary } = advanced.deliveries
  return {
    ...snakeKeys(advanced),
    events: advanced.events.map(presentEvent),
    deliveries: { ...snakeKeys(summary), failures: failures.map((each) => snakeKeys(each)) },
  }
}

function destinationIn(body: z.output<typeof ClockAdvance>, { settings }: Sandbox) {
  return destinationOf(body, (name) => parseStatus(name, 'until.status', settings))
}

function presentClock(world: World): WireClock {
  const mode = world.clock.offsetMs === null ? 'frozen' : 'running'
  return { now: world.clock.now(), mode, next_due: nextDue(world) }
}
