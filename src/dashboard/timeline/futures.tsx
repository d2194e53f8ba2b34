/** Two futures on one timeline: the lane of each subscription that differs, and the branch that leaves it at the change. */
import type { Child, FC } from 'hono/jsx'
import { countText } from '../../wire/common/text.ts'
import { Hint, RecordLink } from '../ui/links.tsx'
import { More, Section } from '../ui/table.tsx'
import { groupThousands, moneyFigure, moneyText } from '../ui/values.tsx'
import { BAR_MIDDLE, BarShape } from './bars.tsx'
import {
  AttemptsMeaning,
  LaneRow,
  LaneTable,
  LegendItem,
  MarkMeaning,
  MarkShapes,
} from './drawing.tsx'
import { day } from './lane.ts'
import { MarkLink } from './mark-link.tsx'
import { marksOf } from './marks.ts'
import { type Branch, type DrawnFutures, endings, totalText } from './read-futures.ts'
import { percent, textPlace, WIDE_LETTER, widthOf } from './room.ts'
import { laneHead } from './timeline.tsx'
import { percentAt, type TimeWindow } from './window.ts'

/** The lanes, in a section; nothing where no subscription differs. */
export const FutureLanes: FC<{
  readonly futures: DrawnFutures
  /** The address of the list of the invoices, to which marks lead. */
  readonly invoices: string
  readonly actions?: Child
}> = ({ futures, invoices, actions }) => {
  const { answer, window, drawn, nameOf, others, until } = futures
  const scale = { window, now: answer.from }
  if (drawn.length === 0) return null
  return (
    <Section title="The two futures" actions={actions}>
      <MarkShapes />
      <LaneTable
        label="Two futures"
        caption="Subscriptions that differ: as things stand, and with the change"
        axis={`From ${day(answer.from)} to ${day(answer.until)}`}
        {...scale}
      >
        <tbody>
          {drawn.map(({ id, lane, branch }) => (
            <LaneRow
              head={
                lane === null
                  ? [<RecordLink place="subscriptions" id={id} />, 'new']
                  : laneHead(lane, nameOf)
              }
              lane={lane ?? { spans: [], ribbons: [], moments: [], ended: null }}
              hrefOf={() => invoices}
              label={`${id}: ${lane?.words ?? 'not there yet'}; with the change: ${branch.sums}`}
              below={{
                height: branch.steps.length > 0 ? BRANCH_HEIGHT : AREA.top,
                shapes: branchShape(branch, window, invoices),
              }}
              {...scale}
            />
          ))}
        </tbody>
      </LaneTable>
      <More count={others?.left ?? 0} />
      <Hint text={`${differText(futures)} ${totalText(answer)}`} />
      {until < answer.complete_until && (
        <Hint text={`There are too many invoices to draw all: branches end on ${day(until)}.`} />
      )}
      <ul class="legend" aria-label="Legend">
        <LegendItem name="with the change">
          <BarShape condition="branch" x="1" width="22" />
        </LegendItem>
        <LegendItem name="paid more, or less, than as things stand">
          <rect class="more" x="2" y={BAR_MIDDLE - 8} width="9" height="8" />
          <rect class="more less" x="12" y={BAR_MIDDLE} width="9" height="8" />
        </LegendItem>
        {[endings.paid, endings.open].map(([kind, name]) => (
          <MarkMeaning kind={kind} name={name} />
        ))}
        <AttemptsMeaning />
      </ul>
    </Section>
  )
}

/** How many subscriptions differ; an answer that has not all invoices knows only the customers. */
function differText({ answer, drawn, others }: DrawnFutures): string {
  if (others === null) {
    const customers = countText(answer.customers_total, 'customer')
    return `The first ${drawn.length} subscriptions that differ are drawn. The money of ${groupThousands(customers)} differs.`
  }
  const { left, same } = others
  const all = drawn.length + left
  const rest = `; ${groupThousands(`${same}`)} ${same === 1 ? 'is' : 'are'} the same in both futures, and not shown`
  const differs = all === 1 ? 'differs' : 'differ'
  return `${groupThousands(countText(all, 'subscription'))} ${differs}${same > 0 ? rest : ''}.`
}

/** Below the bar of a branch: its words, the difference in a sentence, and the difference as an area. */
const WORDS = 48
const SUMS = 64
const AREA = { top: 70, height: 28 }
const BRANCH_HEIGHT = AREA.top + AREA.height + 14

/** How far apart two steps are whose amounts are both written, in percent. */
const STEP_APART = 5

/** The branch, below the lane that it leaves: drawn from the middle of the bar there. Marks lead to an address. */
function branchShape(branch: Branch, window: TimeWindow, href: string): Child {
  const { from, until, moments, words, sums } = branch
  const [start, end] = [percentAt(window, from), percentAt(window, until)]
  const name = `with the change${words && `: ${words}`}`
  const width = percent(Math.max(end - start, 0))
  return [
    <svg x={percent(start)} aria-hidden="true">
      <path class="leaves" d="M0 -26V14Q0 28 10 28" />
    </svg>,
    <BarShape condition="branch" x={percent(start)} width={width} />,
    <text {...textPlace(start, 8, widthOf(name))} y={WORDS}>
      {name}
    </text>,
    <text class="branch" {...textPlace(start, 8, widthOf(sums, WIDE_LETTER))} y={SUMS}>
      {sums}
    </text>,
    differences(branch, window),
    marksOf({ moments }, window).map((mark) => <MarkLink mark={mark} href={href} />),
  ]
}

/** How much more, or less, is paid from each instant on: an area around a line, with the amount of each instant. */
function differences({ steps, until, currency }: Branch, window: TimeWindow): Child {
  const most = Math.max(...steps.map(({ total }) => Math.abs(total)), 1)
  const isBoth = steps.some(({ total }) => total > 0) && steps.some(({ total }) => total < 0)
  const isLess = steps.every(({ total }) => total <= 0)
  const room = isBoth ? AREA.height / 2 : AREA.height
  const zero = AREA.top + (isLess ? 0 : room)
  return steps.map(({ at, more, total }, index) => {
    const x = percentAt(window, at)
    const width = Math.max(percentAt(window, steps[index + 1]?.at ?? until), x) - x
    const height = (Math.abs(total) / most) * room
    const sign = more > 0 ? '+' : ''
    return (
      <g>
        <title>{`${day(at)}: ${sign}${moneyText(more, currency)}, ${moneyText(total, currency)} in all`}</title>
        <rect
          class={total < 0 ? 'more less' : 'more'}
          x={percent(x)}
          y={total < 0 ? zero : zero - height}
          width={percent(width)}
          height={height}
        />
        {width >= STEP_APART && (
          <text x={percent(x)} y={AREA.top + AREA.height + 11} dx="2">
            {sign}
            {moneyFigure(more, currency)}
          </text>
        )}
      </g>
    )
  })
}
