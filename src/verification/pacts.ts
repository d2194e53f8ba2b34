/** Finds and reads the pacts that are meant, and reports on each. */
import { CannotVerify } from '../contracts/common/failure.ts'
import type { PactReport } from '../contracts/common/report-shape.ts'
import { isUnreadable, type PactFile } from '../contracts/pacts/pact-file.ts'
import { selectInteractions } from '../contracts/pacts/selection.ts'
import { findPacts, type PactSource, readSource, sourceName } from '../contracts/pacts/sources.ts'
import { skippedReport, unreadableReport } from '../contracts/report/build.ts'

/** Options that do not go together are refused by one rule, in the words of whoever gave them. */
export interface OptionNames {
  /** How the caller writes an option, such as `--provider-version`. */
  readonly name: (option: string) => string
  /** The error for options that are wrong. */
  readonly wrong: (message: string) => Error
}

/** Which pacts and interactions are meant. */
export interface PactFilter {
  /** The name of the provider; `*` for any. */
  readonly provider: string
  /** Only interactions whose description holds this. */
  readonly filter?: string | undefined
}

/** Reports on each pact by `judge`, unless it cannot be read or is not selected. Notes say what was left out. */
export async function reportOnPacts(
  sources: readonly PactSource[],
  values: PactFilter,
  judge: (pact: PactFile, position: number) => Promise<PactReport>,
) {
  const pacts: PactReport[] = []
  const notes: string[] = []
  for (const [position, source] of sources.entries()) {
    const pact = await readSelected(source, values, notes)
    pacts.push('result' in pact ? pact : await judge(pact, position))
  }
  return { pacts, notes }
}

/** The selected part of a pact; its report if it cannot be read, or nothing is selected. */
async function readSelected(
  { source, read }: PactSource,
  { provider, filter }: PactFilter,
  notes: string[],
) {
  const pact = await read().catch((error: unknown) => {
    if (!(error instanceof CannotVerify)) throw error
    return unreadableReport(source, error.message, 'unverified')
  })
  if ('result' in pact) return pact
  if (isUnreadable(pact)) return unreadableReport(source, pact)
  if (provider !== '*' && plainName(pact.provider) !== plainName(provider)) {
    return skippedReport(
      pact,
      `Its provider is "${pact.provider}"; the option provider selects that one, '*' any.`,
    )
  }
  const left = filter === undefined ? pact : selectInteractions(pact, filter)
  const before = pact.interactions.length + pact.foreign.length
  const after = left.interactions.length + left.foreign.length
  const note = `${source}: the option filter leaves ${before - after} of ${before} interactions out.`
  if (after !== before) notes.push(note)
  if (filter === undefined || after > 0) return left
  return skippedReport(pact, `No description holds the text of the option filter, "${filter}".`)
}

/** Tools write one name as `Subscription Service` and as `subscription-service`. */
function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_-]+/g, '-')
}

/**
 * The pacts that files, folders, patterns and addresses name. Throws for what matches nothing; `argument` is what the caller
 * calls them.
 */
export async function pactsNamed(
  named: readonly string[],
  argument: string,
  { wrong }: Pick<OptionNames, 'wrong'>,
): Promise<readonly PactSource[]> {
  const rule = 'it must be a file, folder, pattern or http address of pacts.'
  if (named.length === 0) throw wrong(`${argument} is missing; ${rule}`)
  const { sources, missing } = await findPacts(named)
  if (missing.length > 0) {
    const names = missing.map((each) => `"${each}"`).join(', ')
    throw wrong(`${argument} ${names} matches no file; ${rule}`)
  }
  return sources.map((source) => ({ source: sourceName(source), read: () => readSource(source) }))
}
