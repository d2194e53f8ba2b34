/**
 * One client of the crash tests, with two sandboxes of its own: its mixed operations, one after another, each of them
 * also done in memory. After a kill a sandbox must be, field by field, what it is in memory without the call that was
 * cut off, or with it.
 */

import { isDeepStrictEqual } from 'node:util'
import { loadFixtures } from '../../src/sandbox/fixtures.ts'
import { Registry } from '../../src/sandbox/registry.ts'
import { realTime } from '../../src/sandbox/running-clock.ts'
import { createApp } from '../../src/server/app.ts'
import { memoryStore } from '../../src/store/memory-store.ts'
import { type Chance, oneOf } from './chance.ts'
import { ask, must, type Send, sendTo } from './crash-call.ts'
import { differences, mustAddUp, see } from './crash-observe.ts'
import {
  chooseOperation,
  type Operation,
  type OperationName,
  type PactName,
  type Pocket,
  type Surroundings,
} from './crash-operations.ts'
import type { Served } from './process.ts'

export interface History {
  /** Calls until the kill. */
  readonly load: (sandbox: Served) => Promise<void>
  /** Throws where what is there after the kill could not have come about. */
  readonly check: (sandbox: Served) => Promise<void>
  readonly acknowledged: () => number
  /** The call that the last kill cut off; null where it fell between two. */
  readonly cutOff: () => OperationName | null
}

interface Side {
  readonly send: Send
  readonly pocket: Pocket
}

/** A client with a number of its own; `publishes` has it publish pacts as well. */
export async function openHistory(
  number: number,
  { chance, publishes }: { readonly chance: Chance; readonly publishes: boolean },
): Promise<History> {
  const ids = [`history-${number}`, `history-${number}-b`] as const
  const expected: Side = { send: await sendToMemory(), pocket: emptyPocket() }
  const real: Pocket = emptyPocket()
  let count = 0
  let acknowledged = 0
  let pending: Operation | null = null
  let cutOff: OperationName | null = null

  async function step(side: Side): Promise<void> {
    count += 1
    const at = oneOf([0, 1] as const, chance)
    const pair = { of: ids[at], other: ids[1 - at] ?? '' }
    const around = await lookAround(expected, pair)
    pending = chooseOperation({ ...around, count, publishes }, chance)
    const status = await perform(side, pending)
    const wanted = await perform(expected, pending)
    const { name } = pending
    must(status === wanted, `${name} of ${pair.of} answered ${status} and not ${wanted}`)
    pending = null
    acknowledged += 1
  }

  async function check(sandbox: Served): Promise<void> {
    const side = { send: sendTo(sandbox), pocket: real }
    const seen = await Promise.all(ids.map((id) => see(side.send, id)))
    const differing = async () => {
      const wanted = await Promise.all(ids.map((id) => see(expected.send, id)))
      const pairs = seen.map((each, at) => [each, wanted[at] ?? null] as const)
      return pairs.filter((pair) => !isDeepStrictEqual(...pair))
    }
    const without = await differing()
    if (without.length > 0) {
      if (pending === null) {
        throw new Error(`${ids} is not what was answered: ${differences(without)}`)
      }
      const cut = describe(pending, expected.pocket)
      await catchUp(pending, seen)
      const left = await differing()
      if (left.length > 0) {
        const [one, other] = [without, left].map(differences)
        throw new Error(`${ids} is neither without ${cut}: ${one}\nnor with it: ${other}`)
      }
    }
    // Whether its answer would have held a token, nobody knows.
    expected.pocket.refreshToken = null
    real.refreshToken = null
    pending = null
    await Promise.all(seen.map((each, at) => each && mustAddUp(side.send, ids[at] ?? '')))
  }

  /** Does in memory what the process did without an answer. */
  async function catchUp(operation: Operation, seen: Awaited<ReturnType<typeof see>>[]) {
    const order = operation.order(expected.pocket)
    if (operation.name !== 'advance') return void (await ask(expected.send, order))
    // An advance is kept piece by piece: what it came to is an advance as well.
    const to = seen[order.of === ids[0] ? 0 : 1]?.state.clock.now
    await ask(expected.send, { ...order, body: { to } })
  }

  return {
    load: async (sandbox) => {
      const side = { send: sendTo(sandbox), pocket: real }
      try {
        for (;;) await step(side)
      } finally {
        cutOff = pending?.name ?? null
      }
    },
    check,
    acknowledged: () => acknowledged,
    cutOff: () => cutOff,
  }
}

function emptyPocket(): Pocket {
  return { refreshToken: null, exported: null }
}

async function perform({ send, pocket }: Side, operation: Operation): Promise<number> {
  const answer = await ask(send, operation.order(pocket))
  if (answer.status < 300) operation.take?.(pocket, answer)
  return answer.status
}

/** The same product in this process, over memory. */
async function sendToMemory(): Promise<Send> {
  const fixtures = await loadFixtures()
  const report = (defect: unknown) => {
    throw defect
  }
  const registry = await Registry.open(
    { store: memoryStore(), fixtures, sandboxesMax: 10, time: realTime, report },
    {
      fixture: 'starter',
      now: null,
      startsRunning: false,
      settings: {},
      from: null,
    },
  )
  if (!(registry instanceof Registry)) throw new Error(registry.message)
  const app = createApp(registry, report)
  return async (path, init) => app.request(path, init)
}

async function lookAround(
  { send, pocket }: Side,
  pair: Pick<Surroundings, 'of' | 'other'>,
): Promise<Omit<Surroundings, 'count' | 'publishes'>> {
  const get = async <Body>(path: string, of: string): Promise<Body | null> => {
    const { status, text } = await ask(send, { operation: `GET ${path}`, of })
    return status === 200 ? (JSON.parse(text) as Body) : null
  }
  const { of, other } = pair
  const own = await get<{ counts: { subscriptions: number } }>('/sandbox', of)
  const checkpoints = await get<{ data: { name: string }[] }>('/sandbox/checkpoints', of)
  const pacts = await get<{ data: PactName[] }>('/sandbox/broker/pacts', of)
  return {
    ...pair,
    isThere: { of: own !== null, other: (await get('/sandbox', other)) !== null },
    subscriptions: own?.counts.subscriptions ?? 0,
    checkpoints: (checkpoints?.data ?? []).map(({ name }) => name),
    pacts: pacts?.data ?? [],
    pocket,
  }
}

function describe({ name, order }: Operation, pocket: Pocket): string {
  const { operation, of } = order(pocket)
  return `${name} (${operation} of ${of})`
}
