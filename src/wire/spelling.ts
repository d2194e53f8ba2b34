/** How a state document is spelled: in snake case on the wire, in camel case in code, mechanically, at every depth. */
import { Slice } from '../world/paced.ts'
import { camelKey, memoized, snakeKey } from './case.ts'

/** Spells every key of a value as the wire does, at every depth. */
export function snakeDeep(value: unknown): unknown {
  return renameKeys(value, snakeKey)
}

/**
 * Spells every key of a document as code does, at every depth; others have their turns meanwhile. Throws what `misspelt`
 * makes of a key that the wire does not write.
 */
export async function camelDocument(
  document: Readonly<Record<string, unknown>>,
  misspelt: (key: string) => Error,
): Promise<Record<string, unknown>> {
  const codeKey = memoized((key) => {
    if (/[A-Z]/.test(key)) throw misspelt(key)
    return camelKey(key)
  })
  const slice = new Slice()
  const renamed: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(document)) {
    if (!Array.isArray(value)) {
      renamed[codeKey(key)] = renameKeys(value, codeKey)
      continue
    }
    const list: unknown[] = []
    renamed[codeKey(key)] = list
    for (const record of value) {
      list.push(renameKeys(record, codeKey))
      if (slice.isOver()) await slice.next()
    }
  }
  return renamed
}

function renameKeys(value: unknown, rename: (key: string) => string): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((each) => renameKeys(each, rename))
  const entries = Object.entries(value).map(([key, inner]) => [
    rename(key),
    renameKeys(inner, rename),
  ])
  return Object.fromEntries(entries)
}
