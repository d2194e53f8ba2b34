/** Random numbers that can be had again: each test that uses them says its seed where it fails. */

/** The seed that an environment variable names, or a new one. */
export function seedFrom(variable: string): number {
  return Number(process.env[variable] ?? Math.floor(Math.random() * 2 ** 31))
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
