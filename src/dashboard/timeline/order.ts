/** The order and the groups of the lanes of a page, as its address says. */
import type { Lane } from './lane.ts'
import { groupedBy, type Timeline } from './read.ts'

/** What the address of a page can say beside the window: each link sets one value or takes it away. */
export const arrangements = [
  [
    ['sort', 'trouble', 'Trouble first'],
    ['lanes', 'compact', 'Compact'],
  ],
  [
    ['group', 'customer', 'By customer'],
    ['group', 'plan', 'By plan'],
  ],
] as const

type LaneQuery = (name: 'sort' | 'lanes' | 'group') => string | undefined

/** The lanes of a page in their groups, each with its name; without groups, in one without a name. */
export function arranged({ lanes, nameOf }: Pick<Timeline, 'lanes' | 'nameOf'>, query: LaneQuery) {
  const sorted =
    query('sort') === 'trouble'
      ? [...lanes].sort((one, other) => troubleOf(one) - troubleOf(other))
      : lanes
  const keys: Readonly<Record<string, (lane: Lane) => string>> = {
    customer: ({ subscription }) => nameOf(subscription.customer_id),
    plan: ({ subscription }) => subscription.plan,
  }
  const keyOf = keys[query('group') ?? '']
  return keyOf === undefined ? [['', sorted] as const] : [...groupedBy(sorted, keyOf)]
}

/** 0 for what is past due, 1 for a payment that will fail, 2 for an end to come, 3 for all others. */
function troubleOf({ subscription, moments }: Lane): number {
  if (subscription.status === 'past_due') return 0
  const expected = moments.filter(({ event }) => event === null).map(({ kind }) => kind)
  if (expected.includes('failed')) return 1
  return expected.includes('ended') ? 2 : 3
}
