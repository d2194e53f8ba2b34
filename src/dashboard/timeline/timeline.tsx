/**
 * A timeline on a page: lanes in a table, the links that move and widen what is shown, and what a mark means.
 * The page of one subscription shows its lane by the same parts.
 */
import type { Child, FC } from 'hono/jsx'
import { countText, instantText } from '../../wire/common/text.ts'
import { PostButton } from '../forms/form.tsx'
import {
  causeText,
  eventsFrom,
  type GroupLink,
  Hint,
  LinkGroups,
  RecordLink,
  SubjectLink,
} from '../ui/links.tsx'
import { usePage } from '../ui/page-context.ts'
import { Section, Table } from '../ui/table.tsx'
import { column, StatusBadge } from '../ui/values.tsx'
import { type LaneHead, LaneRow, LaneTable, Legend, MarkShapes } from './drawing.tsx'
import { day, type Lane, type Moment } from './lane.ts'
import { groupBy, type Timeline } from './read.ts'
import { mainCurrency, Strip } from './strip.tsx'
import { troubleRank } from './trouble.ts'
import { moveLook, zoomLook, zoomNames, zooms } from './window.ts'

/** Everything of a timeline below what moves it: the lanes, with the mark that was asked for, and what they mean. */
export const TimelineParts: FC<{ timeline: Timeline }> = ({ timeline }) => (
  <>
    <MarkShapes />
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

/** The keys of the zooms next to the one that is shown: less of time, and more. */
const zoomKeys: Readonly<Record<number, string>> = { [-1]: 'Plus', 1: '-' }

/** What the address of a page can say beside the window: each link sets one value or takes it away. */
const arrangements = [
  [
    ['sort', 'trouble', 'Trouble first'],
    ['lanes', 'compact', 'Compact'],
  ],
  [
    ['group', 'customer', 'By customer'],
    ['group', 'plan', 'By plan'],
  ],
] as const

/** Links that show more or less of time, another part of it, or the lanes in another order. */
export const WindowMoves: FC<{ timeline: Timeline }> = ({ timeline: { lanes, look, to } }) => {
  const { clock, query } = usePage()
  const { now } = clock
  const zoomAt = zoomNames.findIndex((zoom) => zooms[zoom] === look.days)
  const moves: GroupLink[] = [
    ['Earlier', to(moveLook(look, now, -1)), false, 'ArrowLeft'],
    ['Now', to({ ...look, from: null }), false, 't'],
    ['Later', to(moveLook(look, now, 1)), false, 'ArrowRight'],
  ]
  const widths = zoomNames.map((zoom, index): GroupLink => {
    const name = zoom.charAt(0).toUpperCase() + zoom.slice(1)
    return [name, to(zoomLook(look, zooms[zoom])), index === zoomAt, zoomKeys[index - zoomAt]]
  })
  const orders = arrangements.map((links) =>
    links.map(([name, value, label]): GroupLink => {
      const isSet = query(name) === value
      // The next pages of another order are others.
      const more = { [name]: isSet ? null : value, ...(name === 'sort' && { after: null }) }
      return [label, to(look, more), isSet]
    }),
  )
  // What is arranged can be undone, also where a filter leaves one lane.
  const isArranged = orders.flat().some(([, , isSet]) => isSet)
  const groups = [moves, widths, ...(lanes.length > 1 || isArranged ? orders : [])]
  return <LinkGroups label="What is shown, and how" groups={groups} />
}

/** The lanes; where time can be moved, with the money of the months above them. */
export const LaneRows: FC<{ timeline: Timeline; isStill?: boolean }> = ({ timeline, isStill }) => {
  const { window } = timeline
  const { clock, query } = usePage()
  const next = clock.next_due?.at ?? null
  const movable = { head: stripHead(timeline), above: <Strip timeline={timeline} />, next }
  return (
    <LaneTable
      label="Timeline"
      caption="Subscriptions over virtual time"
      axis={`From ${periodText(window.from, window.until)}`}
      {...{ window, now: clock.now, ...(!isStill && movable) }}
    >
      {arrangeLanes(timeline, query).map(([name, members]) => (
        <tbody>
          {name && (
            <tr>
              <th scope="rowgroup" colspan={2}>
                <span>
                  <bdi>{name}</bdi>, {countText(members.length, 'subscription')}
                </span>
              </th>
            </tr>
          )}
          {members.map((lane) => (
            <SubscriptionRow lane={lane} timeline={timeline} />
          ))}
        </tbody>
      ))}
    </LaneTable>
  )
}

const troubleOf = ({ subscription, moments }: Lane) => troubleRank(subscription.status, moments)

/** The lanes of a page in their groups, each with its name; without groups, in one without a name. */
function arrangeLanes({ lanes, nameOf }: Timeline, query: (name: string) => string | undefined) {
  const sorted =
    query('sort') === 'trouble'
      ? [...lanes].sort((one, other) => troubleOf(one) - troubleOf(other))
      : lanes
  const group = query('group')
  if (group !== 'customer' && group !== 'plan') return [['', sorted] as const]
  const key = group === 'plan' ? group : 'customer_id'
  const groups = groupBy(sorted, ({ subscription }) => subscription[key])
  const name = (each: string) => (key === 'plan' ? each : nameOf(each))
  return [...groups].map(([each, members]) => [name(each), members] as const)
}

/** The lane of a subscription, and below it the mark that the address names. */
const SubscriptionRow: FC<{ lane: Lane; timeline: Timeline }> = ({ lane, timeline }) => {
  const { look, window, nameOf, to } = timeline
  const { clock, query, sandbox } = usePage()
  const { subscription_id: id } = lane.subscription
  return (
    <>
      <LaneRow
        id={`lane_${sandbox.id}_${id}`}
        head={laneHead(lane, nameOf)}
        lane={lane}
        hrefOf={({ from: at, until }) =>
          `${to(look, { lane: id, at, to: until === at ? null : until })}#mark`
        }
        label={`${id}: ${lane.words}`}
        current={id === query('lane') ? query('at') : undefined}
        isCompact={query('lanes') === 'compact'}
        window={window}
        now={clock.now}
      />
      {id === query('lane') && <MarkRow lane={lane} timeline={timeline} />}
    </>
  )
}

/** The customer and the plan of a lane, and below them its subscription. */
export function laneHead({ subscription }: Lane, nameOf: Timeline['nameOf']): LaneHead {
  const { subscription_id: id, customer_id: customer, plan, pending_plan: next } = subscription
  return [
    <span>
      <RecordLink place="customers" id={customer}>
        {nameOf(customer)}
      </RecordLink>
      , {next === null ? plan : `${plan} → ${next}`}
    </span>,
    <>
      <RecordLink place="subscriptions" id={id} /> <StatusBadge status={subscription.status} />
    </>,
  ]
}

const periodText = (from: string, until: string) => `${instantText(from)} to ${instantText(until)}`

function stripHead({ lanes, months }: Timeline): Child {
  return [
    <span class="unseen">Subscription. Above the dates: </span>,
    <span class="line">Paid, discounted, failed</span>,
    <span class="hint">{`${mainCurrency(months)} of ${countText(lanes.length, 'subscription')}`}</span>,
  ]
}

/** The moments of the mark that the address names, in the row below its lane; nothing if it names no mark. */
const MarkRow: FC<{ lane: Lane; timeline: Timeline }> = ({ lane, timeline: { look, to } }) => {
  const { query } = usePage()
  const from = query('at')
  if (from === undefined) return null
  const until = query('to') ?? from
  const moments = lane.moments.filter(({ at, text }) => at >= from && at <= until && text !== null)
  const id = lane.subscription.subscription_id
  const period = until === from ? instantText(from) : periodText(from, until)
  return (
    <tr class="panel" id="mark">
      <td colspan={2}>
        <Section title={`${id}, ${period}`} actions={<a href={to(look)}>Close</a>}>
          <Table
            caption={`What happens to ${id}`}
            rows={moments}
            columns={[
              'at',
              column<Moment>('What', ({ event, text }) => (event ? text : `Expected: ${text}`), {
                wraps: true,
              }),
              column<Moment>('Record', ({ event }) => (
                <SubjectLink subject={event?.subject ?? { kind: 'subscription', id }} />
              )),
              column<Moment>('Cause', (moment) => <CauseCell moment={moment} />),
            ]}
            empty="Nothing happens then any more."
          />
        </Section>
      </td>
    </tr>
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
  return <>{[causeText(event.cause), ', ', eventsFrom(event.seq, `event ${event.seq}`)]}</>
}
