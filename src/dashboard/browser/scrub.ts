/**
 * Moves time by hand: now on the axis of the timeline is a slider. To the right it asks what a move would do, and makes
 * that move; to the left it goes to the newest checkpoint at or before the place. Nothing is moved before it is let go.
 */
import { addMonth, dayBefore, dayLabel, dayNear, nextDay } from './days.ts'
import { load, MISSED, SHOWN, send, setHeld } from './swap.ts'

/** How near to an edge the handle is drawn, as a share of the axis. */
const EDGE = 0.0208

/** The place that is wanted; null while the clock is left alone. */
let wanted: number | null = null
/** What would happen; `at` is where the clock would be: a checkpoint, or where a move ends early; null for nowhere. */
let outcome: { text: string; at: number | null; next: number | null } | null = null
let isAsking = false
/** The place whose outcome was asked for; null if what is known of it may be out of date. */
let asked: number | null = null
/** The pointer that drags. */
let pointer: number | null = null

const findSlider = () => document.querySelector<SVGSVGElement>('#now')

/** The instants of the axis, and when the next thing falls due. */
function readScale(slider: SVGSVGElement) {
  const { from = '', until = '', now = '', next } = slider.dataset
  const times = { from: Date.parse(from), until: Date.parse(until), now: Date.parse(now) }
  return { ...times, next: next === undefined ? null : Date.parse(next) }
}

/** What the form of the clock on this page sends, for a move to a place. */
function moveRequest(to: number, now: number) {
  const form = document.querySelector<HTMLFormElement>('.clock-bar')
  const back = form?.querySelector<HTMLInputElement>('[name=back]')?.value ?? location.pathname
  const move = to < now ? 'back' : 'to'
  const fields = new URLSearchParams({ move, to: new Date(to).toISOString(), back })
  const action = form?.action ?? ''
  return { action, fields, preview: `${action.replace(/advance$/, 'preview')}?${fields}` }
}

/** Asks what would happen: one request at a time, and again while another place is wanted since. */
async function ask(now: number): Promise<void> {
  if (isAsking) return
  isAsking = true
  for (asked = null; wanted !== null && wanted !== asked; ) {
    const place: number = wanted
    asked = place
    const found = (await load(moveRequest(place, now).preview))?.page
    const line = found?.querySelector<HTMLElement>('#outcome')
    // A refusal is said beside its field, if it has one.
    const said = line ?? found?.querySelector('.wrong') ?? found?.querySelector('[role=alert]')
    const text = said?.textContent ?? ''
    const { at, next } = line?.dataset ?? {}
    if (wanted === place && asked === place) {
      outcome = { text, at: at ? Date.parse(at) : null, next: next ? Date.parse(next) : null }
    }
    draw()
  }
  isAsking = false
}

function setWanted(to: number | null): void {
  const slider = findSlider()
  if (slider === null || to === wanted) return
  const { now } = readScale(slider)
  wanted = to === now ? null : to
  // A checkpoint before the place stays marked until the next one is known.
  if (wanted === null || wanted > now || (outcome?.at ?? Infinity) > wanted) outcome = null
  setHeld(wanted !== null || pointer !== null)
  draw()
  if (wanted !== null) void ask(now)
}

/** Leaves the clock alone. */
function cancel(): void {
  pointer = null
  setWanted(null)
  setHeld(false)
}

function moveToWanted(): void {
  const slider = findSlider()
  const to = wanted
  cancel()
  if (slider === null || to === null) return
  const { action, fields } = moveRequest(to, readScale(slider).now)
  void send(action, fields)
}

/** Says where the handle is and what would happen. */
function draw(): void {
  const slider = findSlider()
  const lanes = slider?.closest<HTMLElement>('.lanes')
  if (!slider || !lanes) return
  const { from, until, now } = readScale(slider)
  const share = (at: number) => Math.min(Math.max((at - from) / (until - from), 0), 1)
  const to = outcome?.at ?? wanted ?? now
  const day = new Date(wanted ?? now).toISOString().slice(0, 10)
  // As on the server, the edges cut nothing of it.
  slider.setAttribute('x', `${Math.min(Math.max(share(wanted ?? now), EDGE), 1 - EDGE) * 100}%`)
  const label = slider.querySelector('text')
  if (label) label.textContent = dayLabel(wanted ?? now)
  slider.ariaValueNow = String(Math.min(Math.max(to, from), until))
  slider.ariaValueText = wanted === null ? day : placeText(day, wanted < now)
  drawOver(lanes, slider, wanted === null ? null : [share(now), share(to)])
}

/** What would happen at a place. Of places before now, many lead to the same checkpoint: the day tells them apart. */
function placeText(day: string, isBack: boolean): string {
  if (outcome === null) return `to ${day}`
  return isBack ? `${day}: ${outcome.text}` : outcome.text
}

/** Draws the time from one place to another over the lanes, and the sentence beside it; null removes both. */
function drawOver(lanes: HTMLElement, slider: SVGSVGElement, places: [number, number] | null) {
  const [shade, note] = lanes.querySelectorAll<HTMLElement>(':scope > div')
  if (!shade || !note) return
  shade.hidden = note.hidden = places === null
  const axis = slider.ownerSVGElement?.getBoundingClientRect()
  if (places === null || !axis) return
  const [start, end] = places
  const left = axis.left - lanes.getBoundingClientRect().left + lanes.scrollLeft
  const top = lanes.querySelector('thead')?.offsetHeight ?? 0
  const height = (lanes.querySelector('table')?.offsetHeight ?? top) - top
  shade.classList.toggle('back', end < start)
  note.classList.toggle('before', end >= 0.5)
  note.textContent = slider.ariaValueText
  const [first, width] = [Math.min(start, end), Math.abs(end - start)]
  setLengths(shade, { left: left + first * axis.width, width: width * axis.width, top, height })
  setLengths(note, { left: left + end * axis.width, top: lanes.scrollTop + top })
}

/** Where the stylesheet is to put a part, in pixels. */
function setLengths(part: HTMLElement, lengths: Readonly<Record<string, number>>): void {
  for (const [name, length] of Object.entries(lengths))
    part.style.setProperty(`--${name}`, `${length}px`)
}

/** Where each key leads from the place of the handle. */
const steps: Readonly<Record<string, (at: number) => number>> = {
  ArrowRight: nextDay,
  ArrowUp: nextDay,
  PageUp: (at) => addMonth(at, 1),
  ArrowLeft: dayBefore,
  ArrowDown: dayBefore,
  PageDown: (at) => addMonth(at, -1),
}

/** The place where a key leads; null for now, and undefined if it is no key of the handle. */
function byKey({ key, ctrlKey }: KeyboardEvent, slider: SVGSVGElement): number | null | undefined {
  const { now, next } = readScale(slider)
  if (key === 'Home' || key === 'Escape') return null
  if (key === 'e' || (ctrlKey && key === 'ArrowRight')) {
    return (wanted === null ? next : outcome?.next) ?? wanted
  }
  const to = steps[key]?.(wanted ?? now)
  if (to === undefined) return undefined
  const place = to < now ? dayNear(to, now) : to
  // From either side, now is on the way.
  return wanted === null || wanted < now === place < now ? place : null
}

function onKey(event: KeyboardEvent): void {
  const slider = findSlider()
  if (slider === null || event.metaKey || event.altKey) return
  if (event.key === 'Enter') moveToWanted()
  const to = byKey(event, slider)
  if (to === undefined) return
  event.preventDefault()
  event.stopPropagation()
  if (to === null) cancel()
  else setWanted(to)
}

function onMove(event: PointerEvent): void {
  const slider = findSlider()
  const axis = slider?.ownerSVGElement?.getBoundingClientRect()
  if (!slider || !axis || event.pointerId !== pointer) return
  const { from, until, now } = readScale(slider)
  const share = Math.min(Math.max((event.clientX - axis.left) / axis.width, 0), 1)
  setWanted(dayNear(from + share * (until - from), now))
}

/** Makes a control of now on the axis, and of nothing where it is not shown. */
function enableSlider(): void {
  wanted = outcome = pointer = null
  setHeld(false)
  const slider = findSlider()
  if (slider === null) return
  slider.setAttribute('role', 'slider')
  slider.setAttribute('tabindex', '0')
  slider.setAttribute('aria-label', 'Virtual now')
  const { from, until } = readScale(slider)
  slider.ariaValueMin = String(from)
  slider.ariaValueMax = String(until)
  slider.onkeydown = onKey
  slider.onpointerdown = ({ button, pointerId }) => {
    if (button !== 0) return
    pointer = pointerId
    // From the press on, because a page that changes before the first move would lose the drag.
    setHeld(true)
    slider.setPointerCapture(pointerId)
  }
  slider.onpointermove = onMove
  slider.onpointerup = moveToWanted
  slider.onpointercancel = slider.onblur = cancel
  draw()
}

// While it is dragged, the handle need not have the focus.
document.addEventListener('keydown', ({ key }) => {
  if (key === 'Escape') cancel()
})
document.addEventListener(SHOWN, enableSlider)
document.addEventListener(MISSED, () => {
  const slider = findSlider()
  if (slider === null || wanted === null) return
  outcome = asked = null
  draw()
  void ask(readScale(slider).now)
})
enableSlider()
