/** Marks: the moments of a lane, far enough apart to be pointed at and pressed. */
import { type NumberedAttempt, resultText } from './attempts.ts'
import { day, type Lane, type Moment, momentKinds } from './lane.ts'
import { fitInside, percentOfPixels, widthOf } from './room.ts'
import { percentAt, type TimeWindow } from './window.ts'

/** One mark: a moment, several that are too close to be pressed one by one, or the attempts to pay an invoice. */
export type LaneMark = ReturnType<typeof marksOf>[number]

/** How far apart marks are, and attempts of one invoice, in percent. */
const APART = percentOfPixels(24)
const ATTEMPTS_APART = percentOfPixels(11)
/** How far from its instant a number may be, in percent; if not, one disc has the numbers from the first on. */
const SHIFTED_MAX = percentOfPixels(16)
/** How far before the first attempt the note of a run begins, in pixels. */
export const RUN_BEFORE = 8
/** How far behind a mark its note begins, in pixels. */
export const BEHIND = 12

type HasRoom = (note: string) => boolean

/** The number of an attempt in its place, or the first and the last number of several. */
interface Numbered {
  readonly x: number
  readonly first: number
  readonly number: number
  readonly isPaid: boolean
  readonly isFuture: boolean
}

interface Group {
  readonly x: number
  readonly moments: [Moment, ...Moment[]]
  readonly attempts: Numbered[]
}

/** The marks of a lane in a window, from left to right; in a compact lane, notes are behind them in place of above. */
export function marksOf({ moments }: Pick<Lane, 'moments'>, window: TimeWindow, isCompact = false) {
  const placed = { groups: [] as Group[], runs: new Map<string, Group>() }
  const runAt = new Map(moments.flatMap(({ at, attempt }) => (attempt ? [[at, attempt.run]] : [])))
  for (const moment of moments) {
    if (moment.at < window.from || moment.at >= window.until) continue
    const { kind, attempt } = moment
    // All that happens at the instant of an attempt to pay is in its mark, except for an end.
    const run = kind === 'ended' ? undefined : (attempt?.run ?? runAt.get(moment.at))
    const place = { x: percentAt(window, moment.at), run }
    const group = groupFor(moment, place, placed)
    if (attempt === undefined || kind === 'ended') continue
    addAttempt(group, attempt, { x: place.x, isFuture: moment.event === null })
  }
  const runs = new Set(moments.flatMap(({ attempt }) => attempt?.run ?? []))
  let end = Number.NEGATIVE_INFINITY
  return pushBack(placed.groups).map((group, index, groups) => {
    const isRun = group.attempts.length > 0
    // The note of an end is not above it. Amounts may alternate, but not cover the result of a run.
    const after = groups
      .slice(index + 1)
      .find(({ moments: all }) => isCompact || all.every(isNoEnd))
    const next = (after?.x ?? 200) - percentOfPixels(RUN_BEFORE)
    const isKept = isCompact || (after?.attempts.length ?? 0) > 0
    const startOf = (note: string) =>
      isCompact ? endOf(group) + percentOfPixels(BEHIND) : noteStart(group, note)
    const width = isCompact ? widthOf : noteWidth
    const roomUntil = (limit: number) => (note: string) =>
      startOf(note) >= end && startOf(note) + width(note) < limit
    const hasRoom = roomUntil(isKept ? next : 200)
    const mark = isRun ? runMark(group, runs, [roomUntil(next), hasRoom]) : markOf(group, hasRoom)
    if (mark.note !== null && isNoEnd(mark)) end = startOf(mark.note) + width(mark.note)
    // No other mark is behind it up to there.
    const freeUntil = (groups[index + 1]?.x ?? 200) - percentOfPixels(RUN_BEFORE)
    return { ...mark, freeUntil }
  })
}

function addAttempt(
  group: Group,
  { number, isPaid }: NumberedAttempt,
  { x, isFuture }: Pick<Numbered, 'x' | 'isFuture'>,
): void {
  const [start] = group.attempts
  const least = start === undefined ? group.x : endOf(group) + ATTEMPTS_APART
  const added = { x: Math.max(x, least), first: number, number, isPaid, isFuture }
  const isShifted = start?.first !== start?.number || added.x - x >= SHIFTED_MAX
  if (start === undefined || !isShifted) group.attempts.push(added)
  else {
    const middle = Math.max((group.x + x) / 2, group.x)
    group.attempts.splice(0, Infinity, { ...start, number, isPaid, x: middle })
  }
}

/** What others have pushed beyond the end is moved back, with what is before it. */
function pushBack(groups: readonly Group[]): Group[] {
  let end = 100
  const moved = [...groups].reverse().map((group) => {
    const by = Math.max(endOf(group) - end, 0)
    end = by > 0 ? group.x - by - APART : 100
    const attempts = group.attempts.map((each) => ({ ...each, x: each.x - by }))
    return { ...group, x: group.x - by, attempts }
  })
  return moved.reverse()
}

/** The group that a moment is put in: of its invoice, of what is near, or one for itself. */
function groupFor(
  moment: Moment,
  { x, run }: { readonly x: number; readonly run: string | undefined },
  { groups, runs }: { readonly groups: Group[]; readonly runs: Map<string, Group> },
): Group {
  const last = groups.at(-1)
  const isWithLast = last?.moments[0].at === moment.at && last.attempts.length === 0
  const isEnd = moment.kind === 'ended' && !isWithLast
  // What is to come is never in one mark with what happened, except for attempts to pay one invoice.
  const isSameTime = last?.moments.every(
    ({ event }) => (event === null) === (moment.event === null),
  )
  const isNear = last !== undefined && isSameTime && !isEnd && x - endOf(last) < APART
  const near = isNear ? last : undefined
  const found = run === undefined ? near : runs.get(run)
  if (found !== undefined) {
    found.moments.push(moment)
    return found
  }
  const least = last === undefined ? x : endOf(last) + APART
  const group: Group = { x: Math.max(x, least), moments: [moment], attempts: [] }
  groups.push(group)
  if (run !== undefined) runs.set(run, group)
  return group
}

/** The width of a note with what is free after it, in percent. */
export const noteWidth = (note: string) => widthOf(`${note} `)

/** Where the note above a mark begins: of a run with it, else so that the mark is in the middle. */
function noteStart({ x, attempts }: Pick<Group, 'x' | 'attempts'>, note: string): number {
  const width = noteWidth(note)
  return fitInside(x - (attempts.length > 0 ? percentOfPixels(RUN_BEFORE) : width / 2), 0, width)
}

const isNoEnd = ({ kind }: Pick<Moment, 'kind'>) => kind !== 'ended'

function endOf({ x, attempts }: Group): number {
  const last = attempts.at(-1)
  return last === undefined ? x : last.x + percentOfPixels(discWidth(last) / 2 - 7)
}

/** `3`, or `1–3`. */
export function numbersText({ first, number }: Pick<Numbered, 'first' | 'number'>): string {
  return first === number ? `${number}` : `${first}–${number}`
}

/** The width of the disc of an attempt, in pixels. */
export function discWidth({ first, number }: Pick<Numbered, 'first' | 'number'>): number {
  return first === number ? 14 : 28
}

/** What all marks have: `x` is in percent of the window, `count` the number of their instants. */
function basicsOf({ x, moments, attempts }: Group) {
  const [first] = moments
  const { at: until } = moments.at(-1) ?? first
  const count = new Set(moments.map(({ at }) => at)).size
  const kind = momentKinds.find((kind) => moments.some((each) => each.kind === kind)) ?? first.kind
  const isFuture = moments.every(({ event }) => event === null)
  const said = moments.filter(({ text }) => text !== null)
  return {
    basics: { kind, from: first.at, until, x, count, isFuture, attempts },
    said,
    expected: isFuture ? 'expected: ' : '',
    days: count > 1 ? `${day(first.at)} to ${day(until)}` : day(first.at),
    others: said.length > 1 ? ` and ${said.length - 1} more` : '',
  }
}

/** The attempts to pay an invoice, with the amounts of invoices beside it that have no attempts of their own. */
function runMark(
  group: Group,
  runs: ReadonlySet<string>,
  [hasRoom, hasRoomForSums]: readonly [HasRoom, HasRoom],
) {
  const { basics, days, others } = basicsOf(group)
  const { result, figure, name, each } = runWords(group)
  const amounts = group.moments.flatMap(({ note, attempt, event }) => {
    const isOther = attempt === undefined && !runs.has(event?.subject.id ?? '')
    if (!isOther || note === undefined || !/[1-9]/.test(note)) return []
    return event === null && !basics.isFuture ? `expected ${note}` : note
  })
  const all = [result, ...amounts].join(' + ')
  const texts = [
    [all, hasRoom],
    [[figure, ...amounts].join(' + '), amounts.length > 0 ? hasRoomForSums : hasRoom],
  ] as const
  const note = texts.find(([text, hasRoom]) => hasRoom(text))?.[0] ?? null
  // It has what is seen.
  const seen = note === null || all.includes(note) ? all : `${note}: ${result}`
  return { ...basics, note, label: `${days}: ${name}: ${seen} (${each})${others}` }
}

function markOf(group: Group, hasRoom: HasRoom) {
  const { basics, said, days, expected, others } = basicsOf(group)
  const { kind, count } = basics
  const { moments } = group
  // The moment that the mark shows comes first; the others are counted.
  const shown = said.find((each) => each.kind === kind) ?? said[0] ?? moments[0]
  const own = moments.filter((each) => isNoEnd(each) === (kind !== 'ended'))
  const notes = own.flatMap(({ note }) => note ?? [])
  const sum = notes.join(' + ') || moments.find(({ note }) => note)?.note
  // Failures that are no run may be of one invoice.
  const noted = (kind !== 'failed' || notes.length < 2) && sum ? sum : null
  // There is always room behind an end, or below it.
  const note = noted !== null && (kind === 'ended' || hasRoom(noted)) ? noted : null
  const when = count > 1 ? `${count} instants, ${days}` : days
  // An end says when and why, and whether it is to come.
  const text =
    kind === 'ended' && note !== null ? note : `${expected}${shown.text ?? shown.event?.type}`
  const words = `${when}: ${text}${others}`
  // It has the amounts, also where they have no room, as they are seen: the count of several, and then the note.
  const seen = count > 1 ? `of these ${count}: ${noted}` : noted
  const label = noted === null || words.includes(`${seen}`) ? words : `${words}, ${seen}`
  return { ...basics, note, label }
}

/** The attempts to pay an invoice in words: their numbers, the amount, the result, and when each was or is expected. */
function runWords({ moments, attempts }: Group) {
  const tried = moments.flatMap(({ at, attempt, event }) =>
    attempt ? [{ at, attempt, isExpected: event === null }] : [],
  )
  const numbers = attempts.map(numbersText).join(' ')
  const each = tried.map(({ at, attempt, isExpected }) => {
    const [will, has] = attempt.isPaid ? ['succeeds', 'succeeded'] : ['fails', 'failed']
    return `${attempt.number} ${isExpected ? `expected: ${will}` : has} ${day(at)}`
  })
  const last = tried.at(-1)
  // One that failed before now has failed, whatever is tried again.
  const isExpected = (last?.attempt.isPaid ? last : tried[0])?.isExpected === true
  const result = last === undefined ? '' : resultText(last.attempt, isExpected)
  return {
    result,
    figure: last?.attempt.figure ?? '',
    name: `${tried.length > 1 ? 'attempts' : 'attempt'} ${numbers}`,
    each: each.join(', '),
  }
}
