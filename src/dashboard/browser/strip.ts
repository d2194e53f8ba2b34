/** A drag over the months above a timeline selects a stretch of time: while it lasts, the shown part is drawn there. */
import { visit } from './swap.ts'

/** A shorter drag, as a part of all months, is a click. */
const DRAG_MIN = 0.01

let drag: { strip: HTMLElement; x: number; days?: { from: string; until: string } } | null = null

document.addEventListener('pointerdown', ({ target, button, clientX: x }) => {
  const strip = (target as Element).closest<HTMLElement>('.strip')
  drag = strip && button === 0 ? { strip, x } : null
})

document.addEventListener('pointermove', ({ clientX }) => {
  if (!drag) return
  const { strip, x } = drag
  const { left, width } = strip.getBoundingClientRect()
  const partAt = (each: number) => Math.min(Math.max((each - left) / width, 0), 1)
  const [start = 0, end = 0] = [partAt(x), partAt(clientX)].sort((one, other) => one - other)
  if (!drag.days && end - start < DRAG_MIN) return
  const [first, last] = [strip.dataset['from'], strip.dataset['until']].map((each) =>
    Date.parse(each ?? ''),
  ) as [number, number]
  const dayAt = (part: number) => new Date(first + part * (last - first)).toISOString().slice(0, 10)
  drag.days = { from: dayAt(start), until: dayAt(end) }
  const shown = strip.querySelector('.shown')
  shown?.setAttribute('x', `${100 * start}%`)
  shown?.setAttribute('width', `${100 * (end - start)}%`)
})

document.addEventListener('pointerup', () => {
  if (drag?.days) {
    const address = new URL(drag.strip.dataset['href'] ?? '', location.href)
    for (const [name, day] of Object.entries(drag.days)) address.searchParams.set(name, day)
    // The month below the pointer is not opened. What a finger drags is not clicked: then nothing is to be prevented.
    const prevented = { once: true, capture: true, signal: AbortSignal.timeout(0) }
    document.addEventListener('click', (event) => event.preventDefault(), prevented)
    void visit(address.href)
  }
  drag = null
})
document.addEventListener('pointercancel', () => {
  drag = null
})
document.addEventListener('dragstart', (event) => {
  if ((event.target as Element).closest('.strip')) event.preventDefault()
})
