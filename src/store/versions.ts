/**
 * Versions of what is written down: a table from each version to the pure step that makes the next one of it. Owns how
 * the steps are walked; whoever owns a shape owns its table. Reading walks them, and writes nothing.
 */

/** Makes a value of the next version; never changes the one that it is given. */
export type Step = (older: unknown) => unknown

export interface Versions {
  /** The version that is written now. */
  readonly current: number
  /** The step that leads on from each older version. */
  readonly steps: Readonly<Record<number, Step>>
}

/** A version that cannot be read: the message follows on "format". */
export class VersionError extends Error {
  override readonly name = 'VersionError'
}

/** Brings a value of some version up to the current one. Throws `VersionError` for a newer one, and where a step is missing. */
export function bringUp(value: unknown, found: number, versions: Versions): unknown {
  const refusal = refuseVersion(found, versions)
  if (refusal !== null) throw new VersionError(refusal)
  let newer = value
  for (let version = found; version < versions.current; version += 1) {
    newer = versions.steps[version]?.(newer)
  }
  return newer
}

/** Why a version cannot be brought up; null where it can. */
export function refuseVersion(found: number, { current, steps }: Versions): string | null {
  if (found > current) {
    return `${found}, which a newer version wrote; this one reads format ${current}`
  }
  for (let version = found; version < current; version += 1) {
    if (steps[version] !== undefined) continue
    return `${found}, which this version cannot read, for no step leads on from ${version}; it reads format ${current}`
  }
  return null
}
