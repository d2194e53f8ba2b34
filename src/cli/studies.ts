/** `--vary` and `--mutate`: what pacts lean on, and what they do not notice. */
import { type Settings, variable } from '../assumptions/register.ts'
import type { PactFile } from '../contracts/pact-file.ts'
import type { StrengthStudy, VariationStudy } from '../contracts/report/studies.ts'
import { strengthStudy } from '../contracts/strength.ts'
import { variationStudy } from '../contracts/variations.ts'
import { type Asked, verifyPact } from '../contracts/verify.ts'
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

/** What is studied, of whom and how. */
interface StudyRun extends Pick<Asked, 'timeoutMs' | 'program' | 'signal'> {
  readonly asked: StudiesAsked
  readonly provider: Providing
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
export async function study(pact: PactFile, run: StudyRun, found: Studies): Promise<void> {
  const { asked, provider, timeoutMs, program, signal } = run
  if (!asked.vary && !asked.mutate) return
  const verify = (some: PactFile, { url, states }: Pick<Provider, 'url' | 'states'>) => {
    return verifyPact(some, { url, states, timeoutMs, program, signal })
  }
  const withProvider = async <Value>(
    work: (provider: Provider) => Promise<Value>,
    vary: Settings['vary'] = [],
  ) => {
    const opened = await provider.open(vary)
    try {
      return await work(opened)
    } finally {
      await opened.close()
    }
  }
  const onProgress = (line: string) => process.stderr.write(`  ${line}\n`)
  const base = await withProvider((opened) => verify(pact, opened))
  // The report says of such a file that it cannot be read.
  if ('refusal' in base) return
  if (asked.vary) {
    const replay = (slug: (typeof variable)[number]) => {
      return withProvider((opened) => verify(pact, opened), [slug])
    }
    const varying = { variations: variable, replay, onProgress }
    found.variations = [...(found.variations ?? []), await variationStudy(pact, base, varying)]
  }
  if (asked.mutate) {
    const mutating = { verify, onProgress }
    found.strength = [...(found.strength ?? []), await strengthStudy(pact, base, mutating)]
  }
}
