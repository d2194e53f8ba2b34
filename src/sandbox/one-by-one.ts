/** One call at a time, in the order in which they came. */

/** Gives work its turn, and answers what it does. */
export type InTurn = <Value>(work: () => Value | Promise<Value>) => Promise<Value>

/** A queue for calls that must not overlap. One that fails fails for its caller alone; the next has its turn. */
export function oneByOne(): InTurn {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const turn = last.then(work)
    last = turn.catch(() => undefined)
    return turn
  }
}
