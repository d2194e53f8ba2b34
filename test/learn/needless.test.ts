/** Decisions that are kept or needless, and what shows them: two decisions, of which each choice has scores of its own. */
import { expect, it } from 'vitest'
import { attribute } from '../../src/learn/attribute.ts'
import type { Replayed } from '../../src/learn/replay.ts'

const difference = { at: 'body', sandbox: null, service: null }

function differingBy(count: number): Replayed {
  const answer = { status: 200, headers: {}, body: '' }
  return {
    answer,
    assumptions: ['error-envelope'],
    differences: Array.from({ length: count }, () => difference),
  }
}

const slugs = ['status-names', 'error-envelope'] as const

/** By the variations in force: how much the answers differ. */
type Scores = Readonly<Record<string, readonly number[]>>

/** What is contradicted, and which exchanges show it; and each choice that was replayed. */
async function attributed(scores: Scores) {
  const replayed: string[] = []
  const { verdicts } = await attribute({
    replay: async ({ vary = [] }, goesOn = () => true) => {
      const choice = vary.toSorted().join()
      replayed.push(choice)
      const answers = (scores[choice] ?? []).map(differingBy)
      const end = answers.findIndex((each, at) => !goesOn(each, at))
      return end === -1 ? answers : answers.slice(0, end + 1)
    },
    base: new Map(slugs.map((slug) => [slug, false])),
    decisions: slugs.flatMap((slug) => [false, true].map((value) => ({ slug, value }))),
    onProgress: () => undefined,
  })
  const of = (slug: string) => verdicts.filter((each) => each.slug === slug)
  const contradicted = verdicts.filter(({ verdict }) => verdict === 'contradicted')
  return {
    shownBy: new Map(contradicted.map(({ slug, shown_by }) => [slug as string, shown_by])),
    replayed,
    seen: slugs.flatMap(of).map(({ verdict, agreeing, also_fits, shown_by }) => {
      return { verdict, agreeing, also_fits, shown_by }
    }),
  }
}

it('keeps a decision without which one answer fits better and another one worse', async () => {
  const { shownBy, replayed } = await attributed({
    '': [3, 3],
    'status-names': [1, 2],
    'error-envelope': [3, 0],
    'error-envelope,status-names': [0, 2],
  })
  expect([...shownBy.keys()].toSorted()).toEqual(slugs.toSorted())
  // Each of the four choices once for its scores, and again only for its answers.
  expect(replayed).toHaveLength(8)
})

it('names all exchanges that show a decision, also where the search once stopped at the first', async () => {
  const { shownBy } = await attributed({
    '': [1, 1],
    'status-names': [2, 0],
    'error-envelope': [2, 2],
    'error-envelope,status-names': [0, 0],
  })
  expect(Object.fromEntries(shownBy)).toEqual({ 'status-names': [1, 2], 'error-envelope': [1] })
})

it('confirms nothing by answers that differ in any case, and names no value as one that fits them', async () => {
  const unexplained = { '': [1], 'status-names': [2], 'error-envelope': [1] }
  const { seen } = await attributed(unexplained)
  const undecided = { verdict: 'undecided', agreeing: 0, also_fits: [], shown_by: [] }
  expect(seen).toEqual([undecided, undecided])
})

it('confirms by an answer that agrees, also where another one differs', async () => {
  const { seen } = await attributed({
    '': [1, 0],
    'status-names': [2, 1],
    'error-envelope': [1, 0],
  })
  expect(seen).toEqual([
    { verdict: 'confirmed', agreeing: 1, also_fits: [], shown_by: [2] },
    {
      ...{ verdict: 'undecided', agreeing: 1, shown_by: [] },
      also_fits: [{ slug: 'error-envelope', value: true }],
    },
  ])
})
