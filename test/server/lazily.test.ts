/** Parts of the server that cannot be loaded at their first call. */
import { expect, it, vi } from 'vitest'
import { loadFixtures } from '../../src/sandbox/fixtures.ts'
import { Registry } from '../../src/sandbox/registry.ts'
import { realTime } from '../../src/sandbox/running-clock.ts'
import { createApp } from '../../src/server/app.ts'
import { loadLazily } from '../../src/server/lazily.ts'
import { memoryStore } from '../../src/store/memory-store.ts'
import { orThrow } from '../../src/surface/refusals.ts'
import { WireProblem } from '../../src/wire/common/errors.ts'

let failure: string | null = null
vi.mock('../../src/http/control/broker.ts', async (actual) => {
  if (failure !== null) throw new Error(failure)
  return await actual()
})
vi.mock('../../src/dashboard/app.tsx', async (actual) => {
  if (failure !== null) throw new Error(failure)
  return await actual()
})

it.each([
  ['/sandbox', 'control plane'],
  ['/dashboard', 'dashboard'],
])(
  '%s says why it cannot be loaded, logs it, and is loaded at the next call',
  async (path, part) => {
    vi.resetModules()
    const log: string[] = []
    const open = {
      store: memoryStore(),
      fixtures: await loadFixtures(),
      sandboxesMax: 1,
      time: realTime,
    }
    const initial = { fixture: null, now: null, startsRunning: false, settings: {}, from: null }
    const registry = orThrow(await Registry.open({ ...open, report: () => undefined }, initial))
    const app = createApp(registry as Registry, (line) => log.push(line))
    failure = 'EMFILE: too many open files'
    const refused = await app.request(path)
    failure = null
    // Vitest remembers a module that failed.
    vi.resetModules()
    const message = `The ${part} cannot be loaded: `
    expect(refused.status).toBe(503)
    expect(refused.headers.get('Content-Type')).toBe('application/problem+json')
    const problem = WireProblem.parse(await refused.json())
    expect(problem.code).toBe('unavailable')
    expect(problem.detail).toContain(message)
    expect(log).toEqual([problem.detail])
    expect((await app.request(path)).status).toBeLessThan(400)
    await (registry as Registry).close()
  },
)

it('a part is loaded once, whoever waits for it, and again only where that failed', async () => {
  const log: string[] = []
  const load = vi.fn(async () => load.mock.calls.length)
  load.mockRejectedValueOnce(new Error('EMFILE'))
  const open = loadLazily('part', (line) => log.push(line), load)
  expect(await Promise.allSettled([open(), open()])).toMatchObject([
    { status: 'rejected', reason: { code: 'unavailable' } },
    { status: 'rejected', reason: { code: 'unavailable' } },
  ])
  expect(log).toEqual(['The part cannot be loaded: EMFILE. The next call tries again.'])
  expect(await Promise.all([open(), open()])).toEqual([2, 2])
  expect(await open()).toBe(2)
})
