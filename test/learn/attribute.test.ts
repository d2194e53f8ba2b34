import { expect, it, vi } from 'vitest'
import { attribute } from '../../src/learn/attribute.ts'
import type { Replayed } from '../../src/learn/replay.ts'

it('says now and then how often a long recording was replayed', async () => {
  let now = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
  const same: Replayed = {
    answer: { status: 200, headers: {}, body: '' },
    assumptions: [],
    differences: [],
  }
  const replay = async () => {
    now += 2000
    return [same]
  }
  const said: string[] = []
  const decisions = [201, 202].map((value) => ({ slug: 'success-status', value }) as const)
  await attribute({ replay, base: new Map(), decisions, onProgress: (line) => said.push(line) })
  clock.mockRestore()
  expect(said).toEqual(['trying every other decision', 'replayed 3 times'])
})
