/** Lengths in a drawing, in percent of a lane: as in the narrowest one, so that there is no less room in others. */

/** How wide a lane is at least, how much of the drawing is beside it, and how wide letters are, in pixels. */
export const LANE_WIDTH = 720
const BESIDE = 15
const LETTER = 6.6
/** Of bold texts, and of dates, which are short and have capitals. */
export const WIDE_LETTER = 7.6

export const percent = (value: number) => `${Number(value.toFixed(2))}%`

export const percentOfPixels = (pixels: number) => (100 * pixels) / LANE_WIDTH

export const widthOf = (text: string, letter = LETTER) => percentOfPixels(letter * text.length)

/** A place as near as possible to another at which nothing of so much before and after it is cut. */
export function fitInside(x: number, before: number, after: number): number {
  const beside = percentOfPixels(BESIDE)
  return Math.max(Math.min(x, 100 + beside - after), before - beside)
}

/** The place of a text that begins so many pixels after another place, or so much before that no edge cuts it. */
export function textPlace(x: number, pixels: number, width: number) {
  const start = x + percentOfPixels(pixels)
  const moved = ((fitInside(start, 0, width) - start) * LANE_WIDTH) / 100
  return { x: percent(x), dx: pixels + Math.round(moved) }
}
