/** Colours for a terminal. */

type Paint = (text: string) => string

export interface Palette {
  readonly bold: Paint
  readonly red: Paint
  readonly green: Paint
  readonly yellow: Paint
}

/** The colours, or none of them. */
export function palette(colours: 'coloured' | 'plain'): Palette {
  const paint = (on: number, off: number): Paint => {
    return (text) => (colours === 'plain' ? text : `\u001b[${on}m${text}\u001b[${off}m`)
  }
  return { bold: paint(1, 22), red: paint(31, 39), green: paint(32, 39), yellow: paint(33, 39) }
}
