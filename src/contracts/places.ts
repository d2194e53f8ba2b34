/** Lines and columns in the text of a pact: of an offset, and of what is at a path. Both count from 1. */
import { findNodeAtLocation, type Node } from 'jsonc-parser'

interface LineAndColumn {
  readonly line: number
  readonly column: number
}

/** The place of what is at a path, or of the nearest thing around it. */
export type Place = (path: readonly PropertyKey[]) => LineAndColumn

/** The places in a text that was parsed to a tree. */
export function placesIn(tree: Node, text: string): Place {
  // Found once: a pact of many interactions asks for the place of each.
  const starts = lineStartsOf(text)
  return (path) => placeAt(starts, nearest(tree, path).offset)
}

/** The place of an offset in a text. */
export function placeInText(text: string, offset: number): LineAndColumn {
  return placeAt(lineStartsOf(text), offset)
}

function lineStartsOf(text: string): readonly number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

/** The last line that starts at or before the offset, by bisection. */
function placeAt(starts: readonly number[], offset: number): LineAndColumn {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((starts[middle] ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 }
}

/** The deepest node on a path: where something is missing, what it is missing from. */
function nearest(tree: Node, path: readonly PropertyKey[]): Node {
  for (let length = path.length; length > 0; length -= 1) {
    const steps = path
      .slice(0, length)
      .map((step) => (typeof step === 'number' ? step : String(step)))
    const found = findNodeAtLocation(tree, steps)
    if (found !== undefined) return found
  }
  return tree
}
