import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { realTime } from '../../src/sandbox/running-clock.ts'
import { Session } from '../../src/sandbox/session.ts'
import { memoryStore } from '../../src/store/memory-store.ts'
import { StoreUnavailable } from '../../src/store/store.ts'
import type { WireProblem } from '../../src/wire/common/errors.ts'
import { openShop as openSandbox } from '../support/control.ts'
import { inMemory, temporaryFolder } from '../support/folders.ts'
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

/** A sandbox whose disk takes so many more changes, once that is said. */
async function openOnSmallDisk() {
  const folder = await temporaryFolder(inMemory)
  const store = await storeIn(folder.path)
  const disk = { left: Number.POSITIVE_INFINITY }
  const small = instead(store, {
    create: async (id) => {
      const stored = await store.create(id)
      const full = () => Promise.reject(new StoreUnavailable('The disk is full'))
      return instead(stored, {
        append: (entry) => {
          disk.left -= 1
          return disk.left < 0 ? full() : stored.append(entry)
        },
        committed: () => (disk.left < 0 ? full() : stored.committed()),
      })
    },
  })
  const shop = await openSandbox({}, 10, { store: small })
  await shop.post('/sandbox/subscriptions', order)
  const close = async () => {
    await shop.registry.close()
    await folder.remove()
  }
  return { shop, disk, close }
}

const order = { customer_id: 'cus_ada', plan: 'basic' }

it('shows nothing of a change that the disk refused, in no answer', async () => {
  const { shop, disk, close } = await openOnSmallDisk()
  disk.left = 0
  const moved = await shop.post('/sandbox/clock/advance', { by: 'P1D' })
  expect(moved.status).toBe(503)
  expect(moved.headers.get('Sandbox-Time')).toBe('2027-01-01T00:00:00.000Z')
  const { body } = await shop.get<{ now: string }>('/sandboxes/default')
  expect(body.now).toBe('2027-01-01T00:00:00.000Z')
  const strict = await shop.call('PATCH', '/sandbox/settings', { json: { strict: true } })
  expect(strict.status).toBe(503)
  disk.left = 10
  const headers = { Authorization: 'Bearer sk_sandbox_default' }
  const made = await shop.call('POST', '/v1/subscriptions', { json: order, headers })
  expect(made.status).toBe(200)
  await close()
})

it('shows what is stored of an instant that the disk did not let an advance finish', async () => {
  const { shop, disk, close } = await openOnSmallDisk()
  for (let made = 0; made < 1000; made += 1) await shop.post('/sandbox/subscriptions', order)
  disk.left = 1
  expect((await shop.post('/sandbox/clock/advance', { by: 'P1Y' })).status).toBe(503)
  const read = await shop.get<Moment>('/sandbox')
  expect(read.status).toBe(200)
  // Items of that very instant are left.
  const { now, next_due, counts } = read.body
  expect(next_due.at).toBe(now)
  expect(counts.invoices).toBeLessThan(2002)
  expect((await shop.get<Moment>('/sandbox')).body).toMatchObject({ now, next_due, counts })
  const refused = await shop.post('/sandbox/customers', {})
  expect([refused.status, (await shop.get<Moment>('/sandbox')).body.counts]).toEqual([503, counts])
  // A fork has the whole instant.
  await shop.call('PUT', '/sandboxes/fork', { json: { from: { sandbox: 'default' } } })
  const headers = { 'Sandbox-Id': 'fork' }
  const { body: forked } = await shop.call<Moment>('GET', '/sandbox', { headers })
  expect([forked.now, forked.counts.invoices]).toEqual([now, 2002])
  disk.left = 100
  const { body } = await shop.get<Moment>('/sandbox')
  expect([body.now, body.counts.invoices, body.counts.customers]).toEqual([now, 2002, 3])
  expect((await shop.get('/sandbox/audit')).body).toMatchObject({ ok: true })
  await close()
})

interface Moment {
  readonly now: string
  readonly next_due: { readonly at: string }
  readonly counts: { readonly invoices: number; readonly customers: number }
}

it('says how far an advance came that the disk ended', async () => {
  const { shop, disk, close } = await openOnSmallDisk()
  for (let made = 0; made < 100; made += 1) await shop.post('/sandbox/subscriptions', order)
  disk.left = 1
  const moved = await shop.post<WireProblem>('/sandbox/clock/advance', { by: 'P1Y' })
  expect(moved.status).toBe(503)
  disk.left = 100
  const { body } = await shop.get<{ now: string }>('/sandbox/clock')
  expect(body.now > '2027-01-01T00:00:00.000Z').toBe(true)
  const rule = 'The disk is full. Fix that, then try again.'
  expect(moved.body.detail).toBe(`The virtual now is ${body.now}: ${rule}`)
  await close()
})
