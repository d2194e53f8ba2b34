/** The versions of consumers and providers that a broker knows, and the branches and tags that mark them. */
import * as z from 'zod'
import { Instant } from '../time/instant.ts'

/** One version of a consumer or a provider, and what it was marked with. */
export const PacticipantVersion = z.strictObject({
  pacticipant: z.string(),
  number: z.string(),
  /** In the order in which they were added, like the tags. */
  branches: z.array(z.string()),
  tags: z.array(z.string()),
  /** The virtual now when it was first named. */
  at: Instant,
})
export type PacticipantVersion = z.infer<typeof PacticipantVersion>

/** What names a version. */
export type VersionName = Pick<PacticipantVersion, 'pacticipant' | 'number'>

/** What a version is marked with. */
export type Marks = Pick<PacticipantVersion, 'branches' | 'tags'>

/** A version without a mark. */
export const unmarked: Marks = { branches: [], tags: [] }

/** The version with a name; undefined if it is unknown. */
export function versionNamed(
  versions: readonly PacticipantVersion[],
  name: VersionName,
): PacticipantVersion | undefined {
  return versions.find(
    ({ pacticipant, number }) => pacticipant === name.pacticipant && number === name.number,
  )
}

/** The versions with one more, or with more marks on a known one. */
export function withMarks(
  versions: readonly PacticipantVersion[],
  added: PacticipantVersion,
): readonly PacticipantVersion[] {
  const before = versionNamed(versions, added)
  if (before === undefined) return [...versions, added]
  const both = (kind: keyof Marks) => [...new Set([...before[kind], ...added[kind]])]
  const after = { ...before, branches: both('branches'), tags: both('tags') }
  return versions.map((each) => (each === before ? after : each))
}

/** The newest versions, at most so many, and all that are needed. */
export function newestOf(
  versions: readonly PacticipantVersion[],
  most: number,
  needed: readonly VersionName[],
): readonly PacticipantVersion[] {
  const keys = new Set(needed.map(versionKey))
  let surplus = versions.length - most
  return versions.filter((each) => {
    if (surplus <= 0 || keys.has(versionKey(each))) return true
    surplus -= 1
    return false
  })
}

/** The versions that are not in a list. */
export function unlisted(
  versions: readonly PacticipantVersion[],
  list: readonly PacticipantVersion[],
): readonly PacticipantVersion[] {
  const keys = new Set(list.map(versionKey))
  return versions.filter((version) => !keys.has(versionKey(version)))
}

function versionKey({ pacticipant, number }: VersionName): string {
  return JSON.stringify([pacticipant, number])
}
