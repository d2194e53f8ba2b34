/** Many who follow one sandbox: how many may, and what each event costs for all of them. */
import { expect, it, vi } from 'vitest'
import * as wire from '../../../src/wire/events/event.ts'
import { openShop } from '../../support/control.ts'

vi.mock('../../../src/wire/events/event.ts', { spy: true })

const MOST = 100

async function following(path: string) {
  const shop = await openShop()
  const streams = await Promise.all(
    Array.from({ length: MOST }, async () => {
      const { body } = await shop.app.request(path)
      const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
      if (reader === undefined) throw new Error('The stream has no body')
      let text = ''
      const until = async (end: string) => {
        while (!text.includes(end)) text += (await reader.read()).value
        return text
      }
      return { until, hangUp: () => reader.cancel() }
    }),
  )
  return { shop, streams }
}

it.each(['/sandbox/events/stream', '/sandbox/requests/stream'])(
  '%s is refused to one more than may follow, until one of them hangs up',
  async (path) => {
    const { shop, streams } = await following('/sandbox/events/stream')
    const refused = await shop.get(path)
    expect(refused).toMatchObject({ status: 409, body: { code: 'follower_limit' } })
    await shop.call('PUT', '/sandboxes/other')
    const other = await shop.app.request(path, { headers: { 'Sandbox-Id': 'other' } })
    expect(other.status).toBe(200)
    await other.body?.cancel()
    await streams[0]?.hangUp()
    await vi.waitUntil(async () => {
      const { status, body } = await shop.app.request(path)
      await body?.cancel()
      return status === 200
    })
    shop.registry.stop()
  },
)

it('an event is written once, whoever follows, and all of them get every one in order', async () => {
  const { shop, streams } = await following('/sandbox/events/stream')
  await shop.post('/sandbox/subscriptions', { customer_id: 'cus_ada', plan: 'basic' })
  const before = vi.mocked(wire.presentEvent).mock.calls.length
  await shop.post('/sandbox/charges', { customer_id: 'cus_ada', amount: 500, currency: 'USD' })
  const texts = await Promise.all(streams.map(({ until }) => until('id: 5\n\n')))
  const ids = texts.map((text) => [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id)))
  expect(ids).toEqual(texts.map(() => [1, 2, 3, 4, 5]))
  const written = vi.mocked(wire.presentEvent).mock.calls.length
  expect([before, written].every((count) => count <= 5)).toBe(true)
  shop.registry.stop()
})
