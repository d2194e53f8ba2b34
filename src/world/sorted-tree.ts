/**
 * Sorted trees, in which a world keeps what grows. A clone takes no time: it shares all nodes, and a write copies the few
 * nodes on its path. (Decision 34)
 */

import type sorted from 'sorted-btree'
import { EmptyBTree } from 'sorted-btree'

/** The most entries of a node. An advance was slower with 256, and no faster with 128. */
const NODE = 64

/** The class is the default export of a CommonJS module, which Node and vitest import differently. */
const Tree = EmptyBTree.constructor as typeof sorted.default

export type SortedTree<Key, Value> = sorted.default<Key, Value>

export function sortedTree<Key, Value = undefined>(
  compare: (one: Key, other: Key) => number,
): SortedTree<Key, Value> {
  return new Tree<Key, Value>(undefined, compare, NODE)
}

/** Which end of a list comes first. */
export type InsertionOrder = 'oldest' | 'newest'

/** The entries from a number on, upwards or downwards. */
export function entriesFrom<Value>(
  tree: SortedTree<number, Value>,
  from: number,
  order: InsertionOrder,
): IterableIterator<[number, Value]> {
  return order === 'newest' ? tree.entriesReversed(from) : tree.entries(from)
}

export function compareTexts(one: string, other: string): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}

export function compareNumbers(one: number, other: number): number {
  return one - other
}
