/**
 * A timeline on a page: lanes in a table, the links that move and widen what is shown, and what a mark means.
 * The page of one subscription shows its lane by the same parts.
 */
import type { FC } from 'hono/jsx'
import { instantText } from '../../wire/text.ts'
import { PostButton } from '../forms/form.tsx'
import { Hint, PageLink, RecordLink, SubjectLink } from '../ui/links.tsx'
import { usePage } from '../ui/page-context.ts'
import { Section, Table } from '../ui/table.tsx'
import { StatusBadge } from '../ui/values.tsx'
import { type LaneHead, LaneRow, LaneTable, Legend, MarkShapes } from './drawing.tsx'
import { day, type Lane, type Moment } from './lane.ts'
import type { Timeline } from './read.ts'
import { moved, zoomed, zoomNames } from './window.ts'

/** Everything of a timeline: what moves it, the mark that was asked for, the lanes, and what they mean. */
export const TimelineParts: FC<{ timeline: Timeline }> = ({ timeline }) => (
  <>
    <MarkShapes />
    <WindowMoves timeline={timeline} />
    <MarkPanel timeline={timeline} />
    <LaneRows timeline={timeline} />
    {timeline.seen !== null && (
      <Hint
        text={`Too much happened to show all of it. What happened from ${day(timeline.seen.from)} to ${instantText(timeline.seen.until)} is shown; before and after that, only what the records say today. A shorter stretch of time shows more of it.`}
      />
    )}
    {timeline.horizon < timeline.window.until && (
      <Hint
        text={`The future is worked out until ${day(timeline.horizon)}; what comes later is not shown.`}
      />
    )}
    <Legend />
  </>
)

/** Links that show more or less of time, or another part of it. */
const WindowMoves: FC<{ timeline: Timeline }> = ({ timeline: { look, window, to } }) => {
  const { now } = usePage().clock
  return (
    <nav class="moves" aria-label="What is shown of time">
      <span class="group">
        <a href={to(moved(look, now, -1))}>Earlier</a>
        <a href={to({ ...look, from: null })}>Now</a>
        <a href={to(moved(look, now, 1))}>Later</a>
      </span>
      <span class="group">
        {zoomNames.map((zoom) => (
          <a href={to(zoomed(look, zoom))} aria-current={zoom === look.zoom ? 'true' : undefined}>
            {zoom.charAt(0).toUpperCase() + zoom.slice(1)}
          </a>
        ))}
      </span>
      <span class="hint">{periodText(window.from, window.until)}</span>
    </nav>
  )
}

export const LaneRows: FC<{ timeline: Timeline }> = ({ timeline: { lanes, look, window, to } }) => {
  const { clock, query } = usePage()
  const scale = { window, now: clock.now }
  return (
    <LaneTable
      label="Timeline"
      caption="Subscriptions over virtual time"
      axis={`From ${periodText(window.from, window.until)}`}
      {...scale}
    >
      <tbody>
        {lanes.map((lane) => {
          const { subscription_id: id } = lane.subscription
          return (
            <LaneRow
              head={laneHead(lane)}
              lane={lane}
              hrefOf={({ from: at, until }) =>
                `${to(look, { lane: id, at, to: until === at ? null : until })}#mark`
              }
              label={`${id}: ${lane.words}`}
              current={id === query('lane') ? query('at') : undefined}
              {...scale}
            />
          )
        })}
      </tbody>
    </LaneTable>
  )
}

/** The subscription of a lane, and what is said below it. */
export function laneHead({ subscription }: Pick<Lane, 'subscription'>): LaneHead {
  const { subscription_id: id, customer_id: customer, plan, status } = subscription
  return [
    <>
      <RecordLink place="subscriptions" id={id} /> <StatusBadge status={status} />
    </>,
    <>
      <RecordLink place="customers" id={customer} />, {plan}
    </>,
  ]
}

function periodText(from: string, until: string): string {
  return `${instantText(from)} to ${instantText(until)}`
}

/** The moments of the mark that the address names; nothing if it names no mark. */
export const MarkPanel: FC<{ timeline: Timeline }> = ({ timeline: { lanes, look, to } }) => {
  const { query } = usePage()
  const lane = lanes.find((each) => each.subscription.subscription_id === query('lane'))
  const from = query('at')
  if (lane === undefined || from === undefined) return null
  const until = query('to') ?? from
  const moments = lane.moments.filter(({ at, text }) => at >= from && at <= until && text !== null)
  const id = lane.subscription.subscription_id
  const period = until === from ? instantText(from) : periodText(from, until)
  return (
    <Section title={`${id}, ${period}`} id="mark" actions={<a href={to(look)}>Close</a>}>
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
