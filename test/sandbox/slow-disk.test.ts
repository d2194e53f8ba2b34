import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { realTime } from '../../src/sandbox/running-clock.ts'
import { Session } from '../../src/sandbox/session.ts'
import { memoryStore } from '../../src/store/memory-store.ts'
import { openShop } from '../support/shop.ts'

const SLICES = 1000

it('has a long advance wait for a disk that does not keep up with it', async () => {
  let waits = 0
  let write: () => void = () => undefined
  const written = new Promise<void>((resolve) => {
    write = resolve
  })
  const stored = {
    ...(await memoryStore().create('default')),
    flushed: () => {
      waits += 1
      return written
    },
  }
  const report = (defect: unknown) => {
    throw defect
  }
  const session = new Session({
    world: openShop(),
    stored,
    time: realTime,
    onCommit: () => {},
    report,
  })

  let slices = 0
  const advance = async () => {
    for (; slices < SLICES; slices += 1) await session.pace.onPause()
  }
  const advancing = advance()
  while (waits === 0) await nextTurn()
  await nextTurn()
  expect(slices).toBeLessThan(100)
  write()
  await advancing
  expect(slices).toBe(SLICES)
})
