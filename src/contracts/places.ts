/** Lines and columns in the text of a pact: of an offset, and of what is at a path. Both count from 1. */
import { findNodeAtLocation, type Node } from 'jsonc-parser'
import { LineCounter } from 'yaml'

interface LineAndColumn {
  readonly line: number
  readonly column: number
}

/** The place of what is at a path, or of the nearest thing around it. */
export type Place = (path: readonly PropertyKey[]) => LineAndColumn

/** The places in a text that was parsed to a tree. */
export function placesIn(tree: Node, text: string): Place {
  const place = placesInText(text)
  return (path) => place(nearest(tree, path).offset)
}

/** The places of offsets in a text. Its lines are found once: a pact of many interactions asks for the place of each. */
export function placesInText(text: string): (offset: number) => LineAndColumn {
  const lines = new LineCounter()
  lines.addNewLine(0)
  for (const { index } of text.matchAll(/\n/g)) lines.addNewLine(index + 1)
  return (offset) => {
    const { line, col } = lines.linePos(offset)
    return { line, column: col }
  }
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
