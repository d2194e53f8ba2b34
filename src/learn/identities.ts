/** What stands for what: identifiers and tokens of the recording, and those that the sandbox gave instead. */
export interface Identities {
  /** Theirs and ours are the same from now on. */
  readonly pair: (theirs: string, ours: string) => void
  /** Ours for theirs; undefined for what is not known. */
  readonly ours: (theirs: string) => string | undefined
  /** Whether two values can be the same thing; undefined where neither is known. */
  readonly areSame: (theirs: string, ours: string) => boolean | undefined
  /** A text of the recording as it is sent to the sandbox. */
  readonly translated: (text: string) => string
}

export function identities(): Identities {
  const byTheirs = new Map<string, string>()
  const byOurs = new Map<string, string>()
  return {
    pair: (theirs, ours) => {
      byTheirs.set(theirs, ours)
      byOurs.set(ours, theirs)
    },
    ours: (theirs) => byTheirs.get(theirs),
    areSame: (theirs, ours) => {
      if (!byTheirs.has(theirs) && !byOurs.has(ours)) return undefined
      return byTheirs.get(theirs) === ours
    },
    // Words that stand for secrets, and segments of paths.
    translated: (text) =>
      text.replace(/\[masked\]|[\w.:-]+/g, (each) => byTheirs.get(each) ?? each),
  }
}
