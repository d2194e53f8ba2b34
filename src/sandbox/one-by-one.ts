/** One call at a time, in the order in which they came. */

/** Gives work its turn, and answers what it does: at once where nobody has the turn and the work does not wait. */
export type InTurn = <Value>(work: () => Value | Promise<Value>) => Value | Promise<Value>

/** A queue for calls that must not overlap. One that fails fails for its caller alone; the next has its turn. */
export function oneByOne(): InTurn {
  const waiting: (() => void)[] = []
  let isTaken = false
  /** Hands the turn on. */
  const leave = () => {
    const next = waiting.shift()
    if (next === undefined) isTaken = false
    else next()
  }
  const hold: InTurn = (work) => {
    let done: ReturnType<typeof work>
    try {
      done = work()
    } catch (error) {
      leave()
      throw error
    }
    if (done instanceof Promise) done.then(leave, leave)
    else leave()
    return done
  }
  return (work) => {
    if (isTaken) return new Promise<void>((resolve) => waiting.push(resolve)).then(() => hold(work))
    isTaken = true
    return hold(work)
  }
}
