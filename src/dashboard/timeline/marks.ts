/** Marks: the moments of a lane as they can be said apart, pointed at and pressed. */
import { type Lane, type Moment, type MomentKind, momentKinds } from './lane.ts'
import { percentAt, type TimeWindow } from './window.ts'

/** One mark: a moment, or several that stand too close to be pressed one by one. */
export interface LaneMark {
  readonly kind: MomentKind
  readonly from: string
  readonly until: string
  /** In percent of the window. */
  readonly x: number
  /** How many instants it stands for. */
  readonly count: number
  readonly isFuture: boolean
  readonly label: string
  /** The text above it; null if it has none, or no room. */
  readonly note: string | null
}

/** How wide a lane is at least, in pixels, and how far apart its marks are. */
export const LANE_WIDTH = 720
const APART_PERCENT = (24 / LANE_WIDTH) * 100
/** How much room a note has. */
const NOTE_PERCENT = (60 / LANE_WIDTH) * 100

/** The marks of a lane in a window, from left to right. */
export function marksOf(
  { moments }: Pick<Lane, 'moments'>,
  window: TimeWindow,
  now: string,
): LaneMark[] {
  const seen = moments.filter(({ at }) => at >= window.from && at < window.until)
  const groups: { readonly x: number; readonly moments: Moment[] }[] = []
  for (const moment of seen) {
    const x = percentAt(window, moment.at)
    const last = groups.at(-1)
    if (last !== undefined && x - last.x < APART_PERCENT) last.moments.push(moment)
    else groups.push({ x, moments: [moment] })
  }
  return groups.map(({ x, moments }, index) => {
    const [before = -100, after = 200] = [groups[index - 1]?.x, groups[index + 1]?.x]
    const hasRoom = x - before >= NOTE_PERCENT && after - x >= NOTE_PERCENT
    const [only, ...others] = moments
    const note = hasRoom && others.length === 0 ? (only?.note ?? null) : null
    return { ...markOf(x, moments, now), note }
  })
}

function markOf(x: number, moments: readonly Moment[], now: string): Omit<LaneMark, 'note'> {
  const instants = moments.map(({ at }) => at)
  const from = instants[0] ?? now
  const until = instants.at(-1) ?? from
  const count = new Set(instants).size
  const kinds = new Set(moments.map(({ kind }) => kind))
  const kind = momentKinds.find((each) => kinds.has(each)) ?? 'other'
  const isFuture = moments.every(({ event }) => event === null)
  return {
    kind,
    from,
    until,
    x,
    count,
    isFuture,
    label: labelOf(moments, { kind, count, isFuture }),
  }
}

/** The moment that the mark shows comes first; the others are counted. */
function labelOf(
  moments: readonly Moment[],
  { kind, count, isFuture }: Pick<LaneMark, 'kind' | 'count' | 'isFuture'>,
): string {
  const said = moments.filter(({ text }) => text !== null)
  const shown = said.find((each) => each.kind === kind) ?? said[0] ?? moments[0]
  const [from, until] = [moments[0], moments.at(-1)].map((each) => each?.at.slice(0, 10))
  const when = count > 1 ? `${count} instants, ${from} to ${until}` : from
  const others = said.length > 1 ? ` and ${said.length - 1} more` : ''
  return `${when}: ${isFuture ? 'expected: ' : ''}${shown?.text ?? shown?.event?.type}${others}`
}
