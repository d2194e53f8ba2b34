/** Which assumptions a pact rests on: it is replayed against providers that use one alternative each. */
import type { PactFile } from './pact-file.ts'
import type { VariationStudy } from './report/studies.ts'
import type { Verified } from './verify.ts'

export interface Varying<Variation extends string> {
  /** The names of the assumptions with an alternative. */
  readonly variations: readonly Variation[]
  /** Verifies the pact against a provider that uses this alternative. */
  readonly replay: (variation: Variation) => Promise<readonly Verified[]>
  readonly onProgress: (line: string) => void
}

/** Replays a pact once for each variation; `base` is the result without any. */
export async function variationStudy<Variation extends string>(
  { source, interactions }: PactFile,
  base: readonly Verified[],
  { variations, replay, onProgress }: Varying<Variation>,
): Promise<VariationStudy> {
  const leansOn: Variation[][] = interactions.map(() => [])
  for (const [at, variation] of variations.entries()) {
    onProgress(`varying ${at + 1} of ${variations.length}: ${variation}`)
    const varied = await replay(variation)
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
