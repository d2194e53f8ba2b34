import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import * as z from 'zod'
import { dashboard } from '../../src/dashboard/app.tsx'
import { stream } from '../../src/http/streamed.ts'
import { startSandbox } from '../../src/index.ts'
import { serialQueue } from '../../src/sandbox/serial-queue.ts'
import { ok, type Route } from '../../src/surface/operation.ts'
import { type Hold, holdMeter, longHoldText } from '../../src/world/hold-meter.ts'
import { TimeSlice } from '../../src/world/time-slice.ts'
import { openShop } from '../support/control.ts'
import { echo, post, serving } from '../support/surface.ts'

/** Real time and that of the processor, as far as the meter is concerned: they pass where a test says so. */
let now = 0
let cpu = 0
const clocks = { now: () => now, cpu: () => cpu }
let long: string[] = []

beforeEach(() => {
  now = 0
  cpu = 0
  long = []
  holdMeter.start((hold) => long.push(longHoldText(hold)), clocks)
})

afterEach(() => holdMeter.stop())

function hold(ms: number): void {
  now += ms
  cpu += ms
}

/** What the meter has, without when it was. */
function holds(): Pick<Hold, 'operation' | 'ms'>[] {
  return (holdMeter.longest ?? []).map(({ operation, ms }) => ({ operation, ms }))
}

const noFields = { schema: z.strictObject({}), media: ['json'], required: false } as const

/** An operation that does some work. */
function operation(operationId: string, work: () => Promise<unknown>): Route {
  const answer = async () => {
    await work()
    return ok({})
  }
  return { ...echo(`/v1/${operationId}`, noFields), operationId, answer }
}

/** Calls operations together, and waits for all of them. */
function callAll(...routes: readonly Route[]): Promise<unknown> {
  const app = serving(routes)
  return Promise.all(routes.map(({ path }) => post(app, path, {})))
}

it('names the operation that held the event loop, and none that only waited', async () => {
  let held = () => undefined
  const end = new Promise<void>((resolve) => {
    held = () => resolve() as undefined
  })
  await callAll(
    operation('waits', () => end),
    operation('works', async () => {
      hold(80)
      held()
    }),
    operation('waitsToo', () => end),
  )
  expect(holds()).toEqual([{ operation: 'works', ms: 80 }])
  expect(long).toEqual(['The event loop was held for 80 ms by works; the most is 50 ms.'])
})

it('keeps the longest hold of each operation, and logs each that is too long', async () => {
  const lengths = [60, 90, 70]
  const one = operation('one', async () => hold(lengths.shift() ?? 0))
  await callAll(one)
  await callAll(operation('other', async () => hold(30)))
  await callAll(one)
  await callAll(one)
  await callAll(operation('quick', async () => hold(5)))
  expect(holds()).toEqual([
    { operation: 'one', ms: 90 },
    { operation: 'other', ms: 30 },
  ])
  expect(long).toHaveLength(3)
})

it('does not count the time in which a busy machine lets the process wait', async () => {
  const waits = async () => {
    now += 300
    cpu += 30
  }
  await callAll(operation('waits', waits))
  await callAll(operation('works', async () => hold(60)))
  expect(holds()).toEqual([
    { operation: 'works', ms: 60 },
    { operation: 'waits', ms: 30 },
  ])
  expect(long).toHaveLength(1)
})

it('names the operation whose turn it is where several work in slices', async () => {
  const inSlices = (slow: number) => async () => {
    const slice = new TimeSlice()
    for (let turn = 0; turn < 6; turn += 1) {
      await slice.next()
      hold(turn === slow ? 80 : 1)
    }
  }
  await callAll(operation('one', inSlices(-1)), operation('slow', inSlices(3)))
  expect(holds()).toEqual([{ operation: 'slow', ms: 80 }])
})

it('names the operation whose work has its turn in the queue of a sandbox', async () => {
  const queue = serialQueue()
  await callAll(
    operation('one', () => queue(() => nextTurn())),
    operation('slow', () => queue(() => hold(80))),
    operation('other', () => queue(() => undefined)),
  )
  expect(holds()).toEqual([{ operation: 'slow', ms: 80 }])
})

it('names the operation whose answer comes in pieces', async () => {
  function* pieces() {
    yield 'a'
    hold(80)
    yield 'b'
  }
  const route = {
    ...operation('slow', async () => undefined),
    answer: () => stream(pieces(), {}),
  }
  const app = serving([route, operation('other', async () => undefined)])
  const headers = { Authorization: 'Bearer key' }
  const answer = await app.request(route.path, { method: 'POST', headers })
  await post(app, '/v1/other', {})
  expect(await answer.text()).toBe('ab')
  expect(holds()).toEqual([{ operation: 'slow', ms: 80 }])
})

it('names the page of the dashboard whose own work held the event loop', async () => {
  const shop = await openShop()
  const answer = async (request: Request) => {
    const answered = await shop.app.fetch(request)
    const text = await answered.text()
    if (!request.url.includes('/sandbox/invoices')) return new Response(text, answered)
    // What a page does with an answer is its own work.
    const read = async () => {
      hold(80)
      return text
    }
    return Object.defineProperty(new Response(text, answered), 'text', { value: read })
  }
  const pages = dashboard({ answer, controlToken: null })
  const path = '/dashboard/default/invoices?customer_id=cus_ada'
  expect((await pages.request(path)).status).toBe(200)
  expect(holds()).toEqual([{ operation: 'GET /dashboard/:sandbox/invoices', ms: 80 }])
})

it('shows the longest holds in GET /sandbox', async () => {
  await using sandbox = await startSandbox({ now: '2027-01-01T00:00:00.000Z' })
  await callAll(operation('slow', async () => hold(80.4)))
  const { longest_holds } = await sandbox.describe()
  expect(longest_holds).toEqual([{ operation: 'slow', ms: 80, at: expect.any(String) }])
  expect(await sandbox.reset()).not.toHaveProperty('longest_holds')
})

it('measures nothing in a process that runs other code too', async () => {
  holdMeter.stop()
  await using sandbox = await startSandbox({ now: '2027-01-01T00:00:00.000Z' })
  expect((await sandbox.describe()).longest_holds).toBeNull()
})

describe('the timer of the meter', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  it('stops while nothing is asked for, and goes on while an operation is under way', () => {
    holdMeter.stop()
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    holdMeter.start(() => undefined, clocks)
    const run = holdMeter.begin('waits')
    vi.advanceTimersByTime(10_000)
    expect(vi.getTimerCount()).toBe(1)
    hold(80)
    vi.advanceTimersByTime(10)
    expect(holds()).toEqual([{ operation: 'waits', ms: 80 }])
    holdMeter.end(run)
    vi.advanceTimersByTime(2000)
    expect(vi.getTimerCount()).toBe(0)
    hold(3_600_000)
    holdMeter.end(holdMeter.begin('next'))
    expect(holds()).toEqual([{ operation: 'waits', ms: 80 }])
  })
})
