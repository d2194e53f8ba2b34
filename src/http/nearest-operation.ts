/** Which operation a request that none serves may have meant. */
import { distance } from 'fastest-levenshtein'
import type { Declaration } from '../surface/operation.ts'

/** Looking for it takes the product of both lengths. */
const COMPARED_MAX = 200

/** Another method is less of a mistake than another path. */
const METHOD_WEIGHT = 0.5

interface Nearest {
  readonly operation: Declaration
  /** Whether it has the method of the request. */
  readonly isMethod: boolean
  /** In how many characters the paths differ. */
  readonly away: number
}

/** The operation whose method and path differ least; null for a path that is too long to compare. */
export function nearestOperation(
  { method, path }: { readonly method: string; readonly path: string },
  operations: readonly Declaration[],
): Nearest | null {
  if (path.length > COMPARED_MAX) return null
  const asked = method === 'HEAD' ? 'GET' : method
  let nearest: Nearest | null = null
  for (const operation of operations) {
    const filled = fillPath(operation.path, path)
    const away = Math.min(...filled.map((each) => distance(each, path)))
    const isMethod = operation.method.toUpperCase() === asked
    const found = { operation, isMethod, away }
    if (nearest === null || weightOf(found) < weightOf(nearest)) nearest = found
  }
  return nearest
}

function weightOf({ away, isMethod }: Nearest): number {
  return away + (isMethod ? 0 : METHOD_WEIGHT)
}

/** An operation's path with the segments of a request in place of its parameters, counted from both ends; `?` if empty. */
function fillPath(template: string, path: string): string[] {
  const [wanted, given] = [template.split('/'), path.split('/')]
  const shift = given.length - wanted.length
  const fill = (by: number) =>
    wanted.map((part, at) => (part.startsWith('{') ? given[at + by] || '?' : part)).join('/')
  return shift === 0 ? [fill(0)] : [fill(0), fill(shift)]
}
