/** What a recording says of the sandbox: reading, replaying and attributing it, for a report. */
import type { Settings } from '../assumptions/register.ts'
import type { Fixture } from '../sandbox/fixture-format.ts'
import { camelKeys } from '../wire/common/case.ts'
import { attribute } from './attribute.ts'
import { choiceOf, decisionsFor, settingsFor } from './decisions.ts'
import { renamesFrom } from './field-changes.ts'
import { inferFixture, withoutOlder } from './inferred-fixture.ts'
import type { Traffic } from './recording.ts'
import { inferredLogins, openReplay } from './replay.ts'
import { type LearnReport, learnReport } from './report.ts'

export interface LearnOptions {
  /** What the service began with; null to infer it. */
  readonly fixture: Fixture | null
  /** What the service is compared with. */
  readonly settings: Partial<Settings>
  readonly onProgress: (line: string) => void
}

export async function learn(whole: Traffic, options: LearnOptions): Promise<LearnReport> {
  const given = options.fixture
  const recording = given ? whole : withoutOlder(whole)
  const { exchanges } = recording
  const { fixture, inferred } = given
    ? { fixture: given, inferred: [] }
    : await inferBeginning(recording, options.settings)
  const own = camelKeys(fixture.settings)
  const { replay, close } = await openReplay(recording, fixture)
  try {
    const base = choiceOf({ ...own, ...options.settings })
    // Names of fields and statuses are suggested by records that the sandbox writes in its own way.
    const plain = await replay({ ...settingsFor(base), subscriptionFields: [] })
    const attribution = await attribute({
      replay,
      base,
      decisions: decisionsFor(exchanges, plain, base),
      onProgress: options.onProgress,
    })
    return learnReport(
      recording,
      [...recording.inferred, ...inferred, ...inferredLogins(exchanges)],
      attribution,
    )
  } finally {
    await close()
  }
}

/** What a recording began with. Fields by other names are known once the sandbox has answered the same. */
async function inferBeginning(recording: Traffic, settings: Partial<Settings>) {
  const { exchanges } = recording
  const first = inferFixture(exchanges)
  const { replay, close } = await openReplay(recording, first.fixture)
  const plain = await replay({ ...settings, subscriptionFields: [] }).finally(close)
  const renames = renamesFrom(exchanges, plain)
  return renames.size === 0 ? first : inferFixture(exchanges, renames)
}
