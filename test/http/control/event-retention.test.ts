import type { SSEStreamingApi } from 'hono/streaming'
import { expect, it, vi } from 'vitest'
import { eventSource } from '../../../src/http/control/events.ts'
import { sendFrames } from '../../../src/http/control/server-sent.ts'
import type { WireEventList } from '../../../src/wire/events/event-schema.ts'
import { openShop } from '../../support/control.ts'

vi.mock('../../../src/assumptions/bounds.ts', async (original) => ({
  ...(await original<object>()),
  EVENTS_KEPT: 12,
}))

/** Ada for a year: 52 events, of which the newest 12 are kept. */
async function yearOfAda() {
  const shop = await openShop()
  await shop.post('/sandbox/subscriptions', { customer_id: 'cus_ada', plan: 'basic' })
  await shop.post('/sandbox/clock/advance', { by: 'P1Y' })
  return shop
}

it('lists from the oldest event kept on where the one before was dropped', async () => {
  const shop = await yearOfAda()
  for (const after of [0, 3, 40]) {
    const { body } = await shop.get<WireEventList>(`/sandbox/events?after=${after}&limit=5`)
    expect(body.data.map(({ seq }) => seq)).toEqual([41, 42, 43, 44, 45])
    expect(body).toMatchObject({ has_more: true, next_after: 45 })
  }
  const { body } = await shop.get<WireEventList>('/sandbox/events?after=45')
  expect(body.data.map(({ seq }) => seq)).toEqual([46, 47, 48, 49, 50, 51, 52])
  expect(body).toMatchObject({ has_more: false, next_after: null })
  expect((await shop.get('/sandbox/events?after=53')).status).toBe(400)
})

it('streams from the oldest event kept on, and then each that follows', async () => {
  const shop = await yearOfAda()
  const response = await shop.app.request('/sandbox/events/stream', {
    headers: { 'Last-Event-ID': '3' },
  })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  if (reader === undefined) throw new Error('The stream has no body')
  let text = ''
  const readUpTo = async (seq: number) => {
    while (!text.includes(`id: ${seq}\n`)) text += (await reader.read()).value
  }
  await readUpTo(52)
  await shop.post('/sandbox/clock/advance', { by: 'P1M' })
  await readUpTo(56)
  const ids = [...text.matchAll(/^id: (\d+)$/gm)].map((match) => Number(match[1]))
  expect(ids).toEqual(Array.from({ length: 16 }, (_, index) => index + 41))
  await reader.cancel()
})

it('ends the stream of a client that takes too long, with where it can go on', async () => {
  const shop = await openShop()
  const sandbox = shop.registry.default
  let text = ''
  let release: () => void = () => undefined
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const write = async (piece: Uint8Array) => {
    text += Buffer.from(piece).toString()
    await released
  }
  const sink = { onAbort: () => undefined, write } as unknown as SSEStreamingApi
  const start = { replacements: sandbox.replacements, seq: 0 }
  const limit = Number.POSITIVE_INFINITY
  const source = eventSource(sandbox, { start, limit, matches: () => true })
  const following = sendFrames(sandbox, source, sink)
  await shop.post('/sandbox/subscriptions', { customer_id: 'cus_ada', plan: 'basic' })
  await vi.waitUntil(() => text.includes('id: 4\n'))
  await shop.post('/sandbox/clock/advance', { by: 'P1Y' })
  release()
  await following
  const [, last = ''] = text.split('id: 4\n\n')
  expect(last).toMatch(/^event: end\ndata: \{"reason":"too_slow","last_seq":4,.*\}\n$/)
})

it('counts the events that are kept, and finds the books in order', async () => {
  const shop = await yearOfAda()
  expect((await shop.get('/sandbox')).body).toMatchObject({ counts: { events: 12 } })
  expect((await shop.get('/sandbox/audit')).body).toMatchObject({
    ok: true,
    checked: { events: 12 },
  })
})
