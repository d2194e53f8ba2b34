/** Chance that can be repeated: what a seed decides, and nothing else. */
import fc from 'fast-check'

/** Answers numbers from 0 up to 1, each as likely as any other. */
export type Chance = () => number

const STEPS = 2 ** 30
const AT_A_TIME = 500

/** The numbers of a seed. */
export function chanceOf(seed: number): Chance {
  const number = fc.noBias(fc.integer({ min: 0, max: STEPS - 1 }))
  let drawn: number[] = []
  let nextSeed = seed
  return () => {
    if (drawn.length === 0) {
      drawn = fc.sample(number, { numRuns: AT_A_TIME, seed: nextSeed })
      nextSeed = drawn.pop() ?? 0
    }
    return (drawn.pop() ?? 0) / STEPS
  }
}

/** A seed for numbers of one's own. */
export function seedFrom(chance: Chance): number {
  return Math.floor(chance() * STEPS)
}

/** Does work with a seed: that of the environment variable `SEED`, or a new one, which a failure names. */
export async function seeded<Value>(work: (seed: number) => Promise<Value>): Promise<Value> {
  const seed = Number(process.env['SEED'] ?? Date.now() % STEPS)
  try {
    return await work(seed)
  } catch (error) {
    throw new Error(`with SEED=${seed}: ${(error as Error).message}`, { cause: error })
  }
}

/** One of a list. Throws for an empty one. */
export function oneOf<Value>(list: readonly Value[], chance: Chance): Value {
  const chosen = list[Math.floor(chance() * list.length)]
  if (chosen === undefined) throw new Error('There is nothing to choose from')
  return chosen
}

/** A whole number from 1 to a greatest one. */
export function upTo(most: number, chance: Chance): number {
  return 1 + Math.floor(chance() * most)
}
