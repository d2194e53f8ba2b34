/** Counts how many records are read from the trees of all worlds. For test files that are alone in their process. */
import { EmptyBTree } from 'sorted-btree'

const prototype = Object.getPrototypeOf(EmptyBTree) as typeof EmptyBTree

/** How many records some work reads, one by one or in lists; the lookup of a position counts as one too. */
export async function readsOf(work: () => unknown): Promise<number> {
  let reads = 0
  const { get, entries } = prototype
  prototype.get = function (key, otherwise) {
    reads += 1
    return get.call(this, key, otherwise)
  }
  // Keys and values are read by entries too.
  prototype.entries = function (from, reused) {
    const each = entries.call(this, from, reused)
    const { next } = each
    each.next = () => {
      const step = next()
      // The log of events is bounded, and read whole.
      if (step.value?.[1]?.event === undefined) reads += 1
      return step
    }
    return each
  }
  try {
    await work()
  } finally {
    Object.assign(prototype, { get, entries })
  }
  return reads
}
