/**
 * A timeline on a page: lanes in a table, the links that move and widen what is shown, and what a mark stands for.
 * The page of one subscription shows its lane by the same parts.
 */
import type { FC } from 'hono/jsx'
import type { Schemas } from '../../library/sandbox.ts'
import { instantText } from '../../wire/text.ts'
import { PostButton } from '../forms/form.tsx'
import { PageLink, RecordLink, SubjectLink } from '../ui/links.tsx'
import { type PageContext, type Query, usePage } from '../ui/page-context.ts'
import { Section, Table } from '../ui/table.tsx'
import { StatusBadge } from '../ui/values.tsx'
import { Axis, LaneGraphic, Legend, MarkShapes } from './drawing.tsx'
import type { Lane, Moment } from './lane.ts'
import type { LaneMark } from './marks.ts'
import { type Lanes, type LanesOrder, readLanes } from './read.ts'
import {
  type Look,
  lookOf,
  lookQuery,
  moved,
  type TimeWindow,
  timeShown,
  zoomed,
  zooms,
} from './window.ts'

/** A timeline as its page needs it. */
export interface Timeline extends Lanes {
  readonly page: PageContext
  /** The page that it is on, and what its address says beside the window. */
  readonly path: string
  readonly query: Query
  readonly look: Look
  readonly window: TimeWindow
}

interface TimelineOrder extends LanesOrder {
  readonly path: string
  readonly query?: Query
}

/** Reads a timeline, in the window that the address of the page asks for. */
export async function readTimeline(
  page: PageContext,
  { path, query = {}, ...order }: TimelineOrder,
): Promise<Timeline> {
  const look = lookOf(page.query)
  const window = timeShown(look, page.clock.now)
  const lanes = await readLanes(page, order, window)
  return { ...lanes, page, path, query, look, window }
}

/** Everything of a timeline: what moves it, the mark that was asked for, the lanes, and what they mean. */
export const TimelineParts: FC<{ timeline: Timeline }> = ({ timeline }) => (
  <>
    <MarkShapes />
    <WindowMoves timeline={timeline} />
    <MarkPanel timeline={timeline} />
    <LaneTable timeline={timeline} />
    {timeline.seen !== null && (
      <p class="hint">
        Too much happened to show all of it. What happened from {timeline.seen.from.slice(0, 10)} to{' '}
        {instantText(timeline.seen.until)} is shown; before and after that, only what the records
        say today. A shorter stretch of time shows more of it.
      </p>
    )}
    {timeline.horizon < timeline.window.until && (
      <p class="hint">
        The future is worked out until {timeline.horizon.slice(0, 10)}; what comes later is not
        shown.
      </p>
    )}
    <Legend />
  </>
)

/** Links that show more or less of time, or another part of it. */
const WindowMoves: FC<{ timeline: Timeline }> = ({ timeline }) => {
  const { page, path, query, look, window } = timeline
  const { now } = page.clock
  const to = (other: Look) => page.to(path, { ...query, ...lookQuery(other) })
  return (
    <nav class="moves" aria-label="What is shown of time">
      <span class="group">
        <a href={to(moved(look, now, -1))}>Earlier</a>
        <a href={to({ ...look, from: null })}>Now</a>
        <a href={to(moved(look, now, 1))}>Later</a>
      </span>
      <span class="group">
        {(Object.keys(zooms) as (keyof typeof zooms)[]).map((zoom) => (
          <a href={to(zoomed(look, zoom))} aria-current={zoom === look.zoom ? 'true' : undefined}>
            {zoom.charAt(0).toUpperCase() + zoom.slice(1)}
          </a>
        ))}
      </span>
      <span class="hint">
        {instantText(window.from)} to {instantText(window.until)}
      </span>
    </nav>
  )
}

const LaneTable: FC<{ timeline: Timeline }> = ({ timeline }) => {
  const { page, lanes, window } = timeline
  const { now } = page.clock
  const shown = page.query('lane')
  return (
    <section class="scrolls lanes" tabindex={0} aria-label="Timeline">
      <table>
        <caption class="unseen">Subscriptions over virtual time</caption>
        <thead>
          <tr>
            <th scope="col">Subscription</th>
            <th scope="col" class="time">
              <span class="unseen">
                From {instantText(window.from)} to {instantText(window.until)}
              </span>
              <Axis window={window} now={now} />
            </th>
          </tr>
        </thead>
        <tbody>
          {lanes.map((lane) => (
            <tr>
              <LaneHead subscription={lane.subscription} />
              <td class="time">
                <LaneGraphic
                  lane={lane}
                  window={window}
                  now={now}
                  hrefOf={markAddress(timeline, lane)}
                  label={`${lane.subscription.subscription_id}: ${lane.words}`}
                  current={
                    lane.subscription.subscription_id === shown ? page.query('at') : undefined
                  }
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

const LaneHead: FC<{ subscription: Schemas['SubscriptionRecord'] }> = ({
  subscription: { subscription_id: id, customer_id: customer, plan, status },
}) => (
  <th scope="row">
    <span class="line">
      <RecordLink place="subscriptions" id={id} /> <StatusBadge status={status} />
    </span>
    <span class="hint">
      <RecordLink place="customers" id={customer} />, {plan}
    </span>
  </th>
)

/** Where a mark leads: to this page, with what the mark stands for. */
function markAddress({ page, path, query, look }: Timeline, { subscription }: Lane) {
  return ({ from: at, until }: LaneMark): string => {
    const mark = { lane: subscription.subscription_id, at, ...(until !== at && { to: until }) }
    return `${page.to(path, { ...query, ...lookQuery(look), ...mark })}#mark`
  }
}

/** The moments of the mark that the address names; nothing if it names no mark. */
const MarkPanel: FC<{ timeline: Timeline }> = ({ timeline }) => {
  const { page, lanes, path, query, look } = timeline
  const lane = lanes.find((each) => each.subscription.subscription_id === page.query('lane'))
  const from = page.query('at')
  if (lane === undefined || from === undefined) return null
  const until = page.query('to') ?? from
  const moments = lane.moments.filter(({ at, text }) => at >= from && at <= until && text !== null)
  const id = lane.subscription.subscription_id
  const close = page.to(path, { ...query, ...lookQuery(look) })
  const period =
    until === from ? instantText(from) : `${instantText(from)} to ${instantText(until)}`
  return (
    <Section title={`${id}, ${period}`} id="mark" actions={<a href={close}>Close</a>}>
      <Table
        caption={`What happens to ${id}`}
        rows={moments}
        columns={[
          'at',
          {
            name: 'What',
            cell: ({ event, text }) => (event === null ? `Expected: ${text}` : (text ?? '')),
          },
          {
            name: 'Record',
            cell: ({ event }) => (
              <SubjectLink subject={event?.subject ?? { kind: 'subscription', id }} />
            ),
          },
          { name: 'Cause', cell: (moment) => <CauseCell moment={moment} /> },
        ]}
        empty="Nothing happens then any more."
      />
    </Section>
  )
}

/** What led to it, and its number among all events; a moment to come can be gone to. */
const CauseCell: FC<{ moment: Moment }> = ({ moment: { event, at } }) => {
  const { here: back } = usePage()
  if (event === null) {
    return (
      <PostButton to="clock/advance" values={{ move: 'to', to: at, back }}>
        Move the clock there
      </PostButton>
    )
  }
  const { kind, request_id: request } = event.cause
  return (
    <>
      {kind === 'clock' ? 'the clock' : 'a request'}
      {request !== null && (
        <>
          , <RecordLink place="requests" id={request} />
        </>
      )}
      ,{' '}
      <PageLink to="events" query={{ after: event.seq - 1 }}>
        event {String(event.seq)}
      </PageLink>
    </>
  )
}
