/** Faults are records: they survive a restart, and go wherever a sandbox goes, with their counters. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { sandboxFolder } from '../../../src/store/folder-store.ts'
import type { WireProblem } from '../../../src/wire/common/errors.ts'
import { inSandbox, openShop } from '../../support/control.ts'
import {
  faultsOf,
  makeFault,
  statuses,
  subscribe,
  subscriptionsIn,
} from '../../support/fault-client.ts'
import { temporaryFolder } from '../../support/folders.ts'
import { storeIn } from '../../support/store.ts'

const twice = { times: 2, when: 'after', effect: { status: 503 } }

describe('the counters of faults', () => {
  it('go on after a restart, where they stood', async () => {
    const folder = await temporaryFolder()
    const start = async () => openShop({}, 10, { store: await storeIn(folder.path) })
    const before = await start()
    await makeFault(before, { probability: 0.5, seed: 7, effect: { status: 500 } })
    await makeFault(before, twice)
    const all = [...(await statuses(before, 5))]
    const state = await before.state()
    await before.registry.close()
    const after = await start()
    expect(await after.state()).toBe(state)
    all.push(...(await statuses(after, 5)))
    await after.registry.close()
    await folder.remove()

    const once = await openShop()
    await makeFault(once, { probability: 0.5, seed: 7, effect: { status: 500 } })
    await makeFault(once, twice)
    expect(await statuses(once, 10)).toEqual(all)
  })

  it('return with a checkpoint, and are gone with a reset', async () => {
    const shop = await openShop()
    await makeFault(shop, twice)
    expect(await statuses(shop, 1)).toEqual([503])
    await shop.post('/sandbox/checkpoints', { name: 'one-left' })
    expect(await statuses(shop, 2)).toEqual([503, 200])
    await shop.post('/sandbox/checkpoints/one-left/restore')
    expect(await faultsOf(shop)).toMatchObject([{ used: 1, left: 1 }])
    expect(await statuses(shop, 2)).toEqual([503, 200])
    await shop.post('/sandbox/reset')
    expect(await faultsOf(shop)).toEqual([])
    expect(await statuses(shop, 1)).toEqual([200])
    expect((await makeFault(shop, twice)).fault_id).toBe('flt_000001')
  })

  it('are a fork of their own in a fork', async () => {
    const shop = await openShop()
    await makeFault(shop, twice)
    await statuses(shop, 1)
    await shop.call('PUT', '/sandboxes/fork', { json: { from: { sandbox: 'default' } } })
    const fork = inSandbox(shop, 'fork')
    const headers = { Authorization: 'Bearer sk_sandbox_fork' }
    expect((await subscribe(fork, { headers })).status).toBe(503)
    expect(await faultsOf(fork)).toMatchObject([{ left: 0 }])
    expect(await faultsOf(shop)).toMatchObject([{ left: 1 }])
    expect(await subscriptionsIn(fork)).toBe(2)
  })

  it('are in the state document, and put back from it', async () => {
    const shop = await openShop()
    await makeFault(shop, twice)
    await statuses(shop, 1)
    const state = await shop.state()
    const other = await openShop()
    expect((await other.call('PUT', '/sandbox/state', { bytes: state })).status).toBe(200)
    expect(await faultsOf(other)).toEqual(await faultsOf(shop))
    expect(await statuses(other, 2)).toEqual([503, 200])
    expect((await shop.get<{ counts: object }>('/sandbox')).body.counts).toMatchObject({
      faults: 1,
    })
  })
})

describe('the journal', () => {
  const lost = { times: 1, when: 'after', effect: { status: 503 } }
  const asks = { customer_id: 'cus_nobody' }

  it.each([
    ['an operation that is carried out and its use', lost, {}, ['faults', 'subscriptions']],
    ['an operation that is refused and its use', lost, { fields: asks }, ['faults']],
    ['a use that takes the place of the operation', { effect: { status: 503 } }, {}, ['faults']],
    [
      'an operation that no fault hits and its number',
      { ...lost, nth: 9 },
      {},
      ['faults', 'subscriptions'],
    ],
  ])('has one line for %s', async (...[, fault, sent, changed]) => {
    const folder = await temporaryFolder()
    const shop = await openShop({}, 10, { store: await storeIn(folder.path) })
    await makeFault(shop, fault)
    const before = (await journalIn(folder.path)).length
    await subscribe(shop, sent)
    const lines = (await journalIn(folder.path)).slice(before)
    const named = lines.map((line) => line.match(/(?<=")(?:faults|subscriptions)(?=":\[)/g)?.sort())
    expect(named).toEqual([changed])
    await shop.registry.close()
    await folder.remove()
  })

  it('has no use of a call that waits for its operation, while the next calls go on from it', async () => {
    const folder = await temporaryFolder()
    const shop = await openShop({}, 10, { store: await storeIn(folder.path) })
    await makeFault(shop, { times: 1, effect: { delay_ms: 60_000 } })
    const waiting = subscribe(shop)
    await vi.waitUntil(async () => (await faultsOf(shop))[0]?.used === 1)
    expect((await subscribe(shop)).headers.get('Sandbox-Fault')).toBeNull()
    expect((await journalIn(folder.path)).join()).not.toContain('"used":1')
    expect(await faultsOf(shop)).toMatchObject([{ used: 1, matched: 1, left: 0 }])
    shop.registry.stop()
    expect((await waiting).headers.get('Sandbox-Fault')).toBe('flt_000001')
    await shop.registry.close()
    await folder.remove()
  })
})

/** The lines of the journal of the default sandbox. */
async function journalIn(folder: string): Promise<readonly string[]> {
  const path = join(sandboxFolder(folder, 'default'), 'journal-000001.ndjson')
  return (await readFile(path, 'utf8')).split('\n').filter((line) => line.includes('"put"'))
}

it('no request id comes again after a restart, in whatever order delayed calls were committed', async () => {
  const folder = await temporaryFolder()
  const start = async () => openShop({}, 10, { store: await storeIn(folder.path) })
  const before = await start()
  await makeFault(before, { times: 1, effect: { delay_ms: 2000 } })
  const held = subscribe(before)
  await pause(50)
  const [, newest] = [await subscribe(before), await subscribe(before)]
  await held
  await before.registry.close()
  const after = await start()
  const next = await subscribe(after)
  await after.registry.close()
  await folder.remove()
  const ids = [newest, next].map(({ headers }) => headers.get('Request-Id'))
  expect(ids).toEqual(['req_000004', 'req_000005'])
})

it.each<readonly [string, (fault: { effect: Record<string, unknown>; seed: number }) => void]>([
  [
    'a header of the server',
    ({ effect }) => Object.assign(effect, { headers: [{ name: 'Sandbox-Id', value: 'x' }] }),
  ],
  [
    'a header in two lines',
    ({ effect }) => Object.assign(effect, { headers: [{ name: 'X', value: 'a\r\nb' }] }),
  ],
  ['an hour of delay', ({ effect }) => Object.assign(effect, { delay_ms: 3_600_000 })],
  ['a status without a body', ({ effect }) => Object.assign(effect, { status: 204 })],
  ['a seed of another size', (fault) => Object.assign(fault, { seed: 2 ** 40 })],
])('a state whose fault has %s is refused', async (_, change) => {
  const shop = await openShop()
  await makeFault(shop, twice)
  const state = JSON.parse(await shop.state())
  change(state.faults[0])
  const refused = await shop.call<WireProblem>('PUT', '/sandbox/state', { json: state })
  expect([refused.status, refused.body.detail]).toEqual([
    400,
    expect.stringMatching(/^faults\[0\]\.\S+ is wrong/),
  ])
})
