/** Which decisions are needless: those without which no answer has more differences. */
import { expect, it } from 'vitest'
import { attribute } from '../../src/learn/attribute.ts'
import type { Replayed } from '../../src/learn/replay.ts'

const difference = { at: 'body', sandbox: null, service: null }

function differingBy(count: number): Replayed {
  const answer = { status: 200, headers: {}, body: '' }
  return { answer, assumptions: [], differences: Array.from({ length: count }, () => difference) }
}

it('keeps a decision without which one answer fits better and another one worse', async () => {
  // By the variations in force: how much two answers differ.
  const scores: Readonly<Record<string, readonly number[]>> = {
    '': [3, 3],
    'status-names': [1, 2],
    'error-envelope': [3, 0],
    'error-envelope,status-names': [0, 2],
  }
  const slugs = ['status-names', 'error-envelope'] as const
  const replayed: string[] = []
  const { verdicts } = await attribute({
    replay: async ({ vary = [] }) => {
      replayed.push(vary.toSorted().join())
      return (scores[vary.toSorted().join()] ?? []).map(differingBy)
    },
    base: new Map(slugs.map((slug) => [slug, false])),
    decisions: slugs.flatMap((slug) => [false, true].map((value) => ({ slug, value }))),
    onProgress: () => undefined,
  })
  const contradicted = verdicts.filter(({ verdict }) => verdict === 'contradicted')
  expect(contradicted.map(({ slug }) => slug).toSorted()).toEqual(slugs.toSorted())
  // Four choices; again only for answers: both single ones and their pair after a round, and the pair in the end.
  expect(replayed).toHaveLength(8)
})
