import { get } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Served, serve, serveSource } from '../support/process.ts'
import { shortestOf } from '../support/rounds.ts'

/** How much longer others may wait than when nothing else is asked. */
const HELD_MAX_MS = 50

let served: Served

beforeAll(async () => {
  served = await serve('--data', 'memory', '--quiet')
})
afterAll(() => served.stop())

/** A pact of so many interactions, each of which fits unless the body of its request says otherwise. */
function pactOf(interactions: number, body = 'customer_id=cus_ada&plan=basic'): string {
  const headers = {
    Authorization: 'Bearer sk_sandbox_default',
    'Content-Type': 'application/x-www-form-urlencoded',
  }
  const request = { method: 'POST', path: '/v1/subscriptions', headers, body }
  const response = { status: 200, body: { plan: 'basic' } }
  return JSON.stringify({
    consumer: { name: 'c' },
    provider: { name: 'p' },
    interactions: Array.from({ length: interactions }, (_, at) => {
      return { description: `subscription ${at} is created`, request, response }
    }),
  })
}

function send(...[method, path, body, signal]: [string, string, string, AbortSignal?]) {
  const headers = { 'Content-Type': 'application/json' }
  return fetch(`${served.url}${path}`, { method, headers, body, ...(signal && { signal }) })
}

/** How long a call of health takes. */
function healthMs(): Promise<number> {
  const from = performance.now()
  return new Promise((resolve, reject) => {
    get(`${served.url}/health/live`, (answer) => {
      answer.resume().on('end', () => resolve(performance.now() - from))
    }).on('error', reject)
  })
}

/** How long nearly every call of health takes until something is over. */
async function healthDuring(over: Promise<unknown>): Promise<number> {
  const times: number[] = []
  let isOver = false
  const end = over.finally(() => {
    isOver = true
  })
  while (!isOver) {
    times.push(await healthMs())
    // So many calls as keep the process busy would measure each other.
    await pause(2)
  }
  await end
  const sorted = times.sort((one, other) => one - other)
  return sorted[Math.ceil(sorted.length * 0.95) - 1] ?? 0
}

const contract = (pact: string) =>
  JSON.stringify({
    pacticipantName: 'c',
    pacticipantVersionNumber: '2',
    contracts: [
      {
        consumerName: 'c',
        providerName: 'p',
        specification: 'pact',
        content: Buffer.from(pact).toString('base64'),
      },
    ],
  })

describe('health answers at once while', () => {
  it.each([
    ['findings are made', 'POST', '/sandbox/contracts/check', () => pactOf(4000, 'plan=basic')],
    [
      'pacts are published',
      'POST',
      '/sandbox/broker/contracts/publish',
      () => contract(pactOf(4000)),
    ],
  ])('%s', async (...[, method, path, body]) => {
    const text = body()
    const held = await shortestOf(HELD_MAX_MS, async () => {
      const idle = await healthDuring(pause(500))
      const sent = send(method, path, text).then(async (answer) => {
        await answer.text()
        return answer.status
      })
      const whileSent = await healthDuring(sent)
      expect([200, 201]).toContain(await sent)
      return whileSent - idle
    })
    expect(held).toBeLessThan(HELD_MAX_MS)
  })
})

it('aborts checks whose client is gone, so that the next can run', async () => {
  const startedAt = performance.now()
  const idle = await serve('--data', 'memory', '--quiet')
  const startMs = performance.now() - startedAt
  await idle.stop()
  const lists = Array.from({ length: 4_000_000 }, () => '[]').join(',')
  const long = `{"consumer":{"name":"c"},"provider":{"name":"p"},"x":[${lists}]}`
  const gone = new AbortController()
  const sent = Array.from({ length: 4 }, () => {
    const call = send('POST', '/sandbox/contracts/check', long, gone.signal)
    return expect(call).rejects.toThrow('aborted')
  })
  await pause(1000)
  gone.abort()
  await Promise.all(sent)
  const from = performance.now()
  const next = await send('POST', '/sandbox/contracts/check', pactOf(1))
  expect(await next.json()).toMatchObject({ ok: true })
  // A worker starts, as a server does, and has little to do; the others would have gone on for longer.
  expect(performance.now() - from).toBeLessThan(15 * startMs)
  expect(served.errors()).toBe('')
})

it('checks pacts from source too, and ends at once with its worker at rest', async () => {
  const fromSource = await serveSource('--data', 'memory')
  const headers = { 'Content-Type': 'application/json' }
  const url = `${fromSource.url}/sandbox/contracts/check`
  const answer = await fetch(url, { method: 'POST', headers, body: pactOf(1) })
  expect(await answer.json()).toMatchObject({ ok: true, findings: [] })
  expect(await fromSource.stop()).toBe(0)
})
