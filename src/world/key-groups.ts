/** Groups of keys by owner, oldest record first. Forks share a group until one of them writes to it. */
import { KeyList } from './key-list.ts'
import { LargeMap } from './large-map.ts'

/** Up to so many keys are a plain array: it takes the least memory, and each write replaces it. */
const FEW = 4

/** A list of many keys, and the writer that may change it. */
interface Many {
  readonly list: KeyList
  readonly writer: object
}

type Group = readonly string[] | Many

/** Returns the age of the record of a key: lower for an older one, and constant. */
type AgeOf = (key: string) => number

export class KeyGroups {
  readonly #ageOf: AgeOf
  #groups = new LargeMap<Group>()
  /** Replaced by each fork, because all lists are shared then. */
  #writer = {}

  constructor(ageOf: AgeOf) {
    this.#ageOf = ageOf
  }

  add(owner: string, key: string): void {
    const group = this.#groups.get(owner)
    if (group === undefined) this.#groups.set(owner, [key])
    else if (!isFew(group) || group.length === FEW) {
      this.#listOf(owner, group).add(this.#ageOf(key), key)
    } else this.#groups.set(owner, this.#inOrder([...group, key]))
  }

  remove(owner: string, key: string): void {
    const group = this.#groups.get(owner) ?? []
    const left = isFew(group) ? group.filter((each) => each !== key) : this.#listOf(owner, group)
    if (left instanceof KeyList) left.remove(this.#ageOf(key))
    else if (left.length > 0) this.#groups.set(owner, left)
    if (left.length === 0) this.#groups.delete(owner)
  }

  /** The keys of a group whose records are younger than an age, oldest first, at most `limit`. */
  after(owner: string, age: number, limit: number): readonly string[] {
    const group = this.#groups.get(owner) ?? []
    if (!isFew(group)) return group.list.after(age, limit)
    return group.filter((key) => this.#ageOf(key) > age).slice(0, limit)
  }

  /** The same groups; neither sees the changes of the other. The ages are those of the fork's records. */
  fork(ageOf: AgeOf): KeyGroups {
    const fork = new KeyGroups(ageOf)
    fork.#groups = this.#groups.fork()
    this.#writer = {}
    return fork
  }

  /** Most keys are added at the end. */
  #inOrder(keys: string[]): readonly string[] {
    const [before, last] = keys.slice(-2).map(this.#ageOf)
    if (before === undefined || last === undefined || before < last) return keys
    return keys.sort((one, other) => this.#ageOf(one) - this.#ageOf(other))
  }

  /** The list of a group, or a copy in its place if a fork shares it. */
  #listOf(owner: string, group: Group): KeyList {
    if (!isFew(group) && group.writer === this.#writer) return group.list
    const list = isFew(group) ? new KeyList() : group.list.fork()
    if (isFew(group)) for (const key of group) list.add(this.#ageOf(key), key)
    this.#groups.set(owner, { list, writer: this.#writer })
    return list
  }
}

function isFew(group: Group): group is readonly string[] {
  return Array.isArray(group)
}
