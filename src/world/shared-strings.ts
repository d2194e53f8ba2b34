/**
 * Stores equal strings once. Records that commands create share instants, ids and types. Records that are read from a
 * file would have separate copies, and need a third more memory than in the process that wrote them.
 */

/** The number of strings to remember; equal strings are close together. */
const REMEMBERED_MAX = 50_000

/** Replaces equal strings in a parsed value with one string. */
export function sharedStrings(): (value: unknown) => void {
  const known = new Map<string, string>()
  const sharedText = (text: string): string => {
    const same = known.get(text)
    if (same !== undefined) return same
    if (known.size === REMEMBERED_MAX) known.clear()
    known.set(text, text)
    return text
  }
  const share = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    const parts = value as Record<string, unknown>
    for (const key in parts) {
      const part = parts[key]
      if (typeof part === 'string') parts[key] = sharedText(part)
      else share(part)
    }
  }
  return share
}
