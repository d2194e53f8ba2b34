/** Studies of verified pacts: which assumptions they rest on, and which changes they do not notice. */
import { variableSlugs } from '../assumptions/register.ts'
import { CannotVerify } from '../contracts/common/failure.ts'
import type { Report } from '../contracts/common/report-shape.ts'
import type { PactFile } from '../contracts/pacts/pact-file.ts'
import { otherAnswers } from '../contracts/replay/other-answers.ts'
import { strengthStudy, variationStudy } from '../contracts/replay/studies.ts'
import { type Verified, type VerifyTarget, verifyPact } from '../contracts/replay/verify.ts'
import type { OptionNames } from './pacts.ts'
import type { Provider, ProviderSource } from './providers.ts'

export interface StudyValues {
  readonly url?: string | undefined
  readonly vary?: boolean | undefined
  readonly mutate?: boolean | undefined
}

/** The provider, and the results of the studies: absent if they were not requested. */
export interface StudyRun extends Pick<VerifyTarget, 'timeoutMs' | 'core'> {
  readonly provider: ProviderSource
  /** Receives what is done next, for people who wait, and the number of the like before it. */
  readonly log: (line: string, before?: number) => void
  readonly studies: Pick<Report, 'variations' | 'strength'>
}

/** The requested studies, still empty. Throws if the provider allows no variations. */
export function studiesOf(
  { vary, mutate, url }: StudyValues,
  { name, wrong }: OptionNames,
): StudyRun['studies'] {
  if (vary && url !== undefined) {
    throw wrong(
      `${name('vary')} needs a new sandbox, which uses the alternatives of assumptions; it cannot be combined with ${name('url')}.`,
    )
  }
  return { ...(vary && { variations: [] }), ...(mutate && { strength: [] }) }
}

/** Studies a pact and adds the results; `base` is the result without changes. */
export async function studyPact(
  pact: PactFile,
  base: readonly Verified[],
  { provider, timeoutMs, core, studies, log }: StudyRun,
): Promise<void> {
  const verify = async (some: PactFile, { url, states }: Pick<Provider, 'url' | 'states'>) => {
    const replayed = await verifyPact(some, { url, states, timeoutMs, core })
    if ('refusal' in replayed) throw new CannotVerify(replayed.refusal)
    return replayed
  }
  const onProgress = (line: string, before: number) => log(`  ${line}`, before)
  const failing = async (slug: (typeof variableSlugs)[number]) => {
    const asked = await provider.open([slug])
    const positions = await otherAnswers(pact, base, asked).finally(asked.close)
    if (positions.length === 0) return []
    const interactions = positions.flatMap((position) => pact.interactions[position] ?? [])
    const varied = await provider.open([slug])
    const results = await verify({ ...pact, interactions }, varied).finally(varied.close)
    return positions.filter((_, at) => results[at]?.result !== 'passed')
  }
  const varying = { variations: variableSlugs, failing, onProgress }
  studies.variations?.push(await variationStudy(pact, base, varying))
  studies.strength?.push(await strengthStudy(pact, base, { verify, onProgress }))
}
