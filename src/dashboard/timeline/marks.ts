/** Marks: the moments of a lane, far enough apart to be pointed at and pressed. */
import { day, type Lane, type Moment, momentKinds } from './lane.ts'
import { percentAt, type TimeWindow } from './window.ts'

/** One mark: a moment, or several that are too close to be pressed one by one. */
export type LaneMark = Readonly<ReturnType<typeof markOf>>

/** How wide a lane is at least, in pixels. */
export const LANE_WIDTH = 720
/** How far apart marks are, and how much room a note has, in percent. */
const APART = (24 / LANE_WIDTH) * 100
const NOTE = (50 / LANE_WIDTH) * 100

interface Group {
  readonly x: number
  readonly moments: [Moment, ...Moment[]]
}

/** The marks of a lane in a window, from left to right. */
export function marksOf({ moments }: Pick<Lane, 'moments'>, window: TimeWindow): LaneMark[] {
  const groups: Group[] = []
  for (const moment of moments) {
    if (moment.at < window.from || moment.at >= window.until) continue
    const x = percentAt(window, moment.at)
    const last = groups.at(-1)
    // An end is never one of several.
    const isApart = moment.kind === 'ended' && last?.moments[0].at !== moment.at
    if (last !== undefined && x - last.x < APART && !isApart) last.moments.push(moment)
    else groups.push({ x, moments: [moment] })
  }
  return groups.map((group, index) => {
    const [before = -100, after = 200] = [groups[index - 1]?.x, groups[index + 1]?.x]
    const hasRoom = group.x - before >= NOTE && after - group.x >= NOTE
    const isOne = group.moments.every(({ at }) => at === group.moments[0].at)
    return markOf(group, isOne && (hasRoom || isEnd(group)))
  })
}

/** Nothing follows an end, so that its note has room. */
function isEnd({ moments }: Group): boolean {
  return moments.some(({ kind }) => kind === 'ended')
}

function markOf({ x, moments }: Group, hasNote: boolean) {
  const [first] = moments
  const { at: until } = moments.at(-1) ?? first
  const count = new Set(moments.map(({ at }) => at)).size
  const kind = momentKinds.find((kind) => moments.some((each) => each.kind === kind)) ?? first.kind
  const isFuture = moments.every(({ event }) => event === null)
  const said = moments.filter(({ text }) => text !== null)
  // The moment that the mark shows comes first; the others are counted.
  const shown = said.find((each) => each.kind === kind) ?? said[0] ?? first
  const noted =
    moments.find((each) => each.kind === kind && each.note) ?? moments.find(({ note }) => note)
  // Above it, or behind an end.
  const note = hasNote ? (noted?.note ?? null) : null
  const days = count > 1 ? `${count} instants, ${day(first.at)} to ${day(until)}` : day(first.at)
  const others = said.length > 1 ? ` and ${said.length - 1} more` : ''
  // An end says when and why.
  const text = kind === 'ended' && note !== null ? note : (shown.text ?? shown.event?.type)
  const words = `${days}: ${isFuture ? 'expected: ' : ''}${text}${others}`
  return {
    /** `x` is in percent of the window; `count` is the number of its instants. */
    ...{ kind, from: first.at, until, x, count, isFuture },
    /** Has what is seen. */
    label: note === null || words.includes(note) ? words : `${words}, ${note}`,
    note,
  }
}
