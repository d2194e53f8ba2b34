/** Counts how many records are read from the maps of all worlds. For test files that are alone in their process. */
import { LargeMap } from '../../src/world/large-map.ts'

const listings = ['entries', 'entriesAfter', 'keys', 'values'] as const

/** How many records some work reads, one by one or in lists. */
export async function readsOf(work: () => unknown): Promise<number> {
  let reads = 0
  const { get, list } = LargeMap.prototype
  const before = listings.map((name) => LargeMap.prototype[name])
  LargeMap.prototype.get = function (id) {
    reads += 1
    return get.call(this, id)
  }
  LargeMap.prototype.list = function () {
    reads += this.size
    return list.call(this)
  }
  listings.forEach((name, at) => {
    Object.assign(LargeMap.prototype, {
      *[name](this: LargeMap<unknown>, id?: string) {
        for (const each of before[at]?.call(this, id) ?? []) {
          reads += 1
          yield each
        }
      },
    })
  })
  try {
    await work()
  } finally {
    Object.assign(LargeMap.prototype, { get, list })
    listings.forEach((name, at) => {
      Object.assign(LargeMap.prototype, { [name]: before[at] })
    })
  }
  return reads
}
