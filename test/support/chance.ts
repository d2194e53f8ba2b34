/** Chance that can be repeated: what a seed decides, and nothing else. */

/** Answers numbers from 0 up to 1, each as likely as any other. */
export type Chance = () => number

const SEEDS = 2 ** 31

/** The numbers of a seed (mulberry32). */
export function chanceOf(seed: number): Chance {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A seed for numbers of one's own. */
export function seedFrom(chance: Chance): number {
  return Math.floor(chance() * SEEDS)
}

/** Does work with a seed: that of the environment variable `SEED`, or a new one, which a failure names. */
export async function seeded<Value>(work: (seed: number) => Promise<Value>): Promise<Value> {
  const seed = Number(process.env['SEED'] ?? Date.now() % SEEDS)
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
