/**
 * Strings that are alike, stored once. The records of a world that commands made share instants, ids and types; one that
 * was read would hold each of them anew, and would need a third more memory than the process that wrote it.
 */

/** How many strings are remembered; what is alike stands close together. */
const REMEMBERED_MAX = 50_000

/** Puts, within a value that was read, one string in place of those alike. */
export function sharedStrings(): (value: unknown) => void {
  const known = new Map<string, string>()
  const one = (text: string): string => {
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
      if (typeof part === 'string') parts[key] = one(part)
      else share(part)
    }
  }
  return share
}
