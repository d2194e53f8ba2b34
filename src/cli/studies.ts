/** `--vary` and `--mutate`: what pacts lean on, and what they do not notice. */
import { variable } from '../assumptions/register.ts'
import { CannotVerify } from '../contracts/failure.ts'
import type { PactFile } from '../contracts/pact-file.ts'
import type { StrengthStudy, VariationStudy } from '../contracts/report/studies.ts'
import { strengthStudy } from '../contracts/strength.ts'
import { variationStudy } from '../contracts/variations.ts'
import { type Asked, type Verified, verifyPact } from '../contracts/verify.ts'
import type { Provider, Providing } from './providers.ts'
import { UsageError } from './usage.ts'

/** The options that ask for studies. */
export const studyOptions = {
  vary: { type: 'boolean', default: false },
  mutate: { type: 'boolean', default: false },
} as const

export interface StudiesAsked {
  readonly vary: boolean
  readonly mutate: boolean
}

/** Who studies, of whom and how. */
interface StudyRun extends Pick<Asked, 'timeoutMs' | 'core'> {
  readonly asked: StudiesAsked
  readonly provider: Providing
}

/** A pact, and what it comes to as it is. */
interface Studied {
  readonly pact: PactFile
  readonly base: readonly Verified[]
}

/** What the studies of some pacts came to; absent where they were not asked for. */
export interface Studies {
  variations?: VariationStudy[]
  strength?: StrengthStudy[]
}

/** Throws `UsageError` where a study is asked for that cannot be made. */
export function checkStudies({ vary }: StudiesAsked, url: string | null): void {
  if (!vary || url === null) return
  throw new UsageError(
    '--vary needs a sandbox of its own, which decides otherwise what the interface leaves open; it goes without --url.',
  )
}

/** Studies a pact, and adds what comes of it. */
export async function study(
  { pact, base }: Studied,
  { asked, provider, timeoutMs, core }: StudyRun,
  found: Studies,
): Promise<void> {
  const verify = async (some: PactFile, { url, states }: Pick<Provider, 'url' | 'states'>) => {
    const replayed = await verifyPact(some, { url, states, timeoutMs, core })
    if ('refusal' in replayed) throw new CannotVerify(replayed.refusal)
    return replayed
  }
  const onProgress = (line: string) => process.stderr.write(`  ${line}\n`)
  if (asked.vary) {
    const replay = async (slug: (typeof variable)[number]) => {
      const varied = await provider.open([slug])
      try {
        return await verify(pact, varied)
      } finally {
        await varied.close()
      }
    }
    const varying = { variations: variable, replay, onProgress }
    found.variations = [...(found.variations ?? []), await variationStudy(pact, base, varying)]
  }
  if (asked.mutate) {
    const mutating = { verify, onProgress }
    found.strength = [...(found.strength ?? []), await strengthStudy(pact, base, mutating)]
  }
}
