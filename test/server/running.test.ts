/** A start whose clock is to run. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { refuse } from '../../src/billing/refusal.ts'
import { ClockMoves } from '../../src/sandbox/clock-moves.ts'
import { start } from '../../src/server/start.ts'
import { temporaryFolder } from '../support/folders.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>

beforeEach(async () => {
  folder = await temporaryFolder()
})

afterEach(async () => {
  vi.restoreAllMocks()
  await folder.remove()
})

const modeOf = async (options: Parameters<typeof start>[0] = {}) => {
  const started = await start({ folder: folder.path, ...options })
  const answer = await started.answer(new Request(`${started.url}/sandbox/clock`))
  await started.close()
  return ((await answer.json()) as { mode: string }).mode
}

it('leaves the stored clock as it is where its port is taken', async () => {
  expect(await modeOf()).toBe('frozen')
  const other = await start()
  const port = Number(new URL(other.url).port)
  await expect(modeOf({ port, running: true })).rejects.toThrow('EADDRINUSE')
  await other.close()
  expect(await modeOf()).toBe('frozen')
  expect(await modeOf({ running: true })).toBe('running')
})

it('stores nothing where its port is taken: the next start begins with what it asks for', async () => {
  const other = await start()
  const port = Number(new URL(other.url).port)
  const refused = start({ folder: folder.path, port, fixture: 'empty' })
  await expect(refused).rejects.toThrow('EADDRINUSE')
  await other.close()
  const log = vi.fn()
  const started = await start({ folder: folder.path, log })
  const plans = await started.answer(new Request(`${started.url}/sandbox/plans`))
  await started.close()
  expect(await plans.json()).toMatchObject({ data: [{}, {}, {}, {}] })
  expect(log).not.toHaveBeenCalled()
})

it('says that the clock does not run where the disk refuses that', async () => {
  vi.spyOn(ClockMoves.prototype, 'set').mockResolvedValue(refuse('storage_unavailable', 'Full.'))
  const log = vi.fn()
  await modeOf({ running: true, log })
  expect(log.mock.calls).toEqual([['The clock does not run. Full.']])
})
