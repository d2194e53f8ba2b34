/** What a pact leans on: each interaction is replayed against providers that decide one thing otherwise. */
import type { PactFile } from './pact-file.ts'
import type { VariationStudy } from './report/studies.ts'
import type { Verified } from './verify.ts'

export interface Varying<Variation extends string> {
  /** The names of what can be decided otherwise. */
  readonly variations: readonly Variation[]
  /** Verifies the pact against a provider that decides this otherwise. */
  readonly replay: (variation: Variation) => Promise<readonly Verified[]>
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
