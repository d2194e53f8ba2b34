/** What a recording says of the sandbox: reading, replaying and attributing it, for a report. */
import { assumptions, type Settings } from '../assumptions/register.ts'
import type { FixtureLibrary } from '../sandbox/fixtures.ts'
import { camelKeys } from '../wire/case.ts'
import { attribute } from './attribute.ts'
import { choiceOf, decisionsFor } from './decisions.ts'
import { guessFixture } from './guess.ts'
import type { Recording } from './recording.ts'
import { inferredLogins, openReplay } from './replay.ts'
import { type LearnReport, reportOf } from './report.ts'

export interface LearnOptions {
  /** What the sandboxes begin with; null to infer it. */
  readonly fixture: { readonly library: FixtureLibrary; readonly name: string } | null
  /** What the service is compared with. */
  readonly settings: Partial<Settings>
  readonly onProgress: (line: string) => void
}

export async function learn(recording: Recording, options: LearnOptions): Promise<LearnReport> {
  const { exchanges } = recording
  const guess = options.fixture === null ? guessFixture(exchanges) : null
  const name = options.fixture?.name ?? 'recorded'
  const library = new Map(options.fixture?.library ?? [])
  if (guess !== null) library.set(name, guess.fixture)
  const own = camelKeys(library.get(name)?.settings ?? {})
  const { replay, close } = await openReplay(recording, { library, name })
  try {
    const attribution = await attribute({
      replay,
      base: choiceOf({ ...own, ...options.settings }),
      decisions: decisionsFor(exchanges),
      slugs: assumptions.map(({ slug }) => slug),
      onProgress: options.onProgress,
    })
    const inferred = [...(guess?.inferred ?? []), ...inferredLogins(exchanges)]
    return reportOf(recording, inferred, attribution)
  } finally {
    await close()
  }
}
