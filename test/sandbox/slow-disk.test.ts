import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { realTime } from '../../src/sandbox/running-clock.ts'
import { Session } from '../../src/sandbox/session.ts'
import { memoryStore } from '../../src/store/memory-store.ts'
import { StoreUnavailable } from '../../src/store/store.ts'
import { openShop as openSandbox } from '../support/control.ts'
import { temporaryFolder } from '../support/folders.ts'
import { openShop } from '../support/shop.ts'
import { instead, storeIn } from '../support/store.ts'

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

describe('a read that comes while a change is on its way to the disk', () => {
  /** Creates a customer, reads the customers meanwhile, and has the disk end the change. */
  async function readMeanwhile(end: 'written' | 'refused') {
    const folder = await temporaryFolder()
    const store = await storeIn(folder.path)
    let written = () => {}
    let refused: (reason: Error) => void = () => {}
    const disk = new Promise<void>((resolve, reject) => {
      written = resolve
      refused = reject
    })
    const state = { now: false, hasBegun: false }
    const slow = instead(store, {
      create: async (id) => {
        const stored = await store.create(id)
        const whenWritten = (work: () => Promise<void>) => (state.now ? disk.then(work) : work())
        return instead(stored, {
          append: (entry) => {
            state.hasBegun = true
            return whenWritten(() => stored.append(entry))
          },
          committed: () => whenWritten(() => stored.committed()),
        })
      },
    })
    const shop = await openSandbox({ fixture: 'empty' }, 10, { store: slow })
    Object.assign(state, { now: true, hasBegun: false })
    const created = shop.post('/sandbox/customers', { customer_id: 'cus_new' })
    while (!state.hasBegun) await nextTurn()
    let isAnswered = false
    const read = shop.get<{ data: { customer_id: string }[] }>('/sandbox/customers')
    const answered = read.finally(() => {
      isAnswered = true
    })
    for (let turns = 0; turns < 100; turns += 1) await nextTurn()
    expect(isAnswered).toBe(false)
    state.now = false
    if (end === 'written') written()
    else refused(new StoreUnavailable('The disk is full'))
    const customers = (await answered).body.data.map(({ customer_id }) => customer_id)
    const { status } = await created
    await shop.registry.close()
    await folder.remove()
    return { status, customers }
  }

  it('waits for it, and shows it', async () => {
    expect(await readMeanwhile('written')).toEqual({ status: 201, customers: ['cus_new'] })
  })

  it('does not show it where the disk refuses it', async () => {
    expect(await readMeanwhile('refused')).toEqual({ status: 503, customers: [] })
  })
})

it('shows nothing of a change that the disk refused, in no answer', async () => {
  const folder = await temporaryFolder()
  const store = await storeIn(folder.path)
  let isFull = false
  const full = instead(store, {
    create: async (id) => {
      const stored = await store.create(id)
      const unlessFull = (work: () => Promise<void>) =>
        isFull ? Promise.reject(new StoreUnavailable('The disk is full')) : work()
      return instead(stored, {
        append: (entry) => unlessFull(() => stored.append(entry)),
        committed: () => unlessFull(() => stored.committed()),
      })
    },
  })
  const shop = await openSandbox({}, 10, { store: full })
  const order = { customer_id: 'cus_ada', plan: 'basic' }
  await shop.call('POST', '/sandbox/subscriptions', { json: order })
  isFull = true
  const moved = await shop.call('POST', '/sandbox/clock/advance', { json: { by: 'P1M' } })
  expect(moved).toMatchObject({ status: 503 })
  expect(moved.headers.get('Sandbox-Time')).toBe('2027-01-01T00:00:00.000Z')
  const { body } = await shop.get<{ now: string }>('/sandboxes/default')
  expect(body.now).toBe('2027-01-01T00:00:00.000Z')
  const strict = await shop.call('PATCH', '/sandbox/settings', { json: { strict: true } })
  expect(strict.status).toBe(503)
  isFull = false
  const headers = { Authorization: 'Bearer sk_sandbox_default' }
  const made = await shop.call('POST', '/v1/subscriptions', { json: order, headers })
  expect(made.status).toBe(200)
  await shop.registry.close()
  await folder.remove()
})
