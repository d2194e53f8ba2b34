/** `--vary` and `--mutate`: which assumptions pacts rest on, and which changes they do not notice. */
import { variable } from '../assumptions/register.ts'
import { CannotVerify } from '../contracts/failure.ts'
import type { PactFile } from '../contracts/pact-file.ts'
import type { Report } from '../contracts/report-shape.ts'
import { strengthStudy, variationStudy } from '../contracts/studies.ts'
import { type Verified, type VerifyTarget, verifyPact } from '../contracts/verify.ts'
import type { Provider, Providing } from './providers.ts'
import { UsageError } from './usage.ts'

/** The options for studies. */
export interface StudyValues {
  readonly vary?: boolean
  readonly mutate?: boolean
}

/** A pact, and its result without changes. */
interface Studied {
  readonly pact: PactFile
  readonly base: readonly Verified[]
}

/** The results of studies; absent if they were not requested. */
export type Studies = Pick<Report, 'variations' | 'strength'>

/** The provider and the studies to make. */
interface StudyRun extends Pick<VerifyTarget, 'timeoutMs' | 'core'> {
  readonly provider: Providing
  readonly studies: Studies
}

/** The requested studies, still empty. Throws `UsageError` if the provider allows no variations. */
export function studiesOf(
  { vary = false, mutate = false }: StudyValues,
  url: string | null,
): Studies {
  if (vary && url !== null) {
    throw new UsageError(
      '--vary needs a new sandbox, which uses the alternatives of assumptions; it cannot be combined with --url.',
    )
  }
  return { ...(vary && { variations: [] }), ...(mutate && { strength: [] }) }
}

/** Studies a pact, and adds the results. */
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
