/** `--vary` and `--mutate`: what pacts lean on, and what they do not notice. */
import { variable } from '../assumptions/register.ts'
import { CannotVerify } from '../contracts/failure.ts'
import type { PactFile } from '../contracts/pact-file.ts'
import type { Report } from '../contracts/report/report.ts'
import { strengthStudy } from '../contracts/strength.ts'
import { variationStudy } from '../contracts/variations.ts'
import { type Asked, type Verified, verifyPact } from '../contracts/verify.ts'
import type { Provider, Providing } from './providers.ts'
import { UsageError } from './usage.ts'

/** What asks for studies. */
export interface StudyValues {
  readonly vary?: boolean
  readonly mutate?: boolean
}

/** A pact, and what it comes to as it is. */
interface Studied {
  readonly pact: PactFile
  readonly base: readonly Verified[]
}

/** What the studies of some pacts came to; absent where they were not asked for. */
export type Studies = Pick<Report, 'variations' | 'strength'>

/** Who studies, of whom and how. */
interface StudyRun extends Pick<Asked, 'timeoutMs' | 'core'> {
  readonly provider: Providing
  readonly studies: Studies
}

/** The studies that are asked for, as yet of no pact. Throws `UsageError` where one cannot be made of a provider. */
export function studiesOf(
  { vary = false, mutate = false }: StudyValues,
  url: string | null,
): Studies {
  if (vary && url !== null) {
    throw new UsageError(
      '--vary needs a sandbox of its own, which decides otherwise what the interface leaves open; it goes without --url.',
    )
  }
  return { ...(vary && { variations: [] }), ...(mutate && { strength: [] }) }
}

/** Studies a pact, and adds what comes of it. */
export async function study(
  { pact, base }: Studied,
  { provider, timeoutMs, core, studies }: StudyRun,
): Promise<void> {
  const verify = async (some: PactFile, { url, states }: Pick<Provider, 'url' | 'states'>) => {
    const replayed = await verifyPact(some, { url, states, timeoutMs, core })
    if ('refusal' in replayed) throw new CannotVerify(replayed.refusal)
    return replayed
  }
  const onProgress = (line: string) => process.stderr.write(`  ${line}\n`)
  const replay = async (slug: (typeof variable)[number]) => {
    const varied = await provider.open([slug])
    try {
      return await verify(pact, varied)
    } finally {
      await varied.close()
    }
  }
  const varying = { variations: variable, replay, onProgress }
  studies.variations?.push(await variationStudy(pact, base, varying))
  studies.strength?.push(await strengthStudy(pact, base, { verify, onProgress }))
}
