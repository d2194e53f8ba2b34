/** What a pact leans on: each interaction is replayed against providers that decide one thing otherwise. */
import { CannotVerify } from './failure.ts'
import type { PactFile } from './pact-file.ts'
import type { VariationStudy } from './report/studies.ts'
import type { CoreRefusal, Verified } from './verify.ts'

/** What a pact comes to against one provider. */
export type Replay = readonly Verified[] | CoreRefusal

export interface Varying<Variation extends string> {
  /** The names of what can be decided otherwise. */
  readonly variations: readonly Variation[]
  /** Verifies the pact against a provider that decides this otherwise. */
  readonly replay: (variation: Variation) => Promise<Replay>
  readonly onProgress: (line: string) => void
}

/** Replays a pact once for each variation; `base` is what it comes to without any. */
export async function variationStudy<Variation extends string>(
  { source, interactions }: PactFile,
  base: readonly Verified[],
  { variations, replay, onProgress }: Varying<Variation>,
): Promise<VariationStudy> {
  const leansOn: Variation[][] = interactions.map(() => [])
  for (const [at, variation] of variations.entries()) {
    onProgress(`varying ${at + 1} of ${variations.length}: ${variation}`)
    const varied = await replay(variation)
    if ('refusal' in varied) throw new CannotVerify(varied.refusal)
    varied.forEach(({ result }, index) => {
      if (result !== 'passed') leansOn[index]?.push(variation)
    })
  }
  return {
    source,
    tried: [...variations],
    interactions: interactions.map(({ description, line }, index) => ({
      description,
      line,
      leans_on: base[index]?.result === 'passed' ? (leansOn[index] ?? []) : null,
    })),
  }
}
