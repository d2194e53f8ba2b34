/** How often what must not wait is tried on a machine that may be late by itself. */
const ROUNDS_MAX = 5

/**
 * The shortest time in ms that rounds take, of as many as it takes for one below `enough`, and at most five: a machine
 * with other work is late now and then, what waits for a timer is late in every round.
 */
export async function shortestOf(enough: number, round: () => Promise<number>): Promise<number> {
  let shortest = Number.POSITIVE_INFINITY
  for (let tried = 0; tried < ROUNDS_MAX && shortest >= enough; tried += 1) {
    shortest = Math.min(shortest, await round())
  }
  return shortest
}
