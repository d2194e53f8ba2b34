import { monitorEventLoopDelay } from 'node:perf_hooks'
import { expect, it, vi } from 'vitest'
import { openShop, type Sent, type Shop } from '../support/control.ts'
import { shortestOf } from '../support/rounds.ts'

/** Far from the seconds that these bodies took, and above what a busy machine adds. */
const HELD_MAX_MS = 400
const ANSWER_MAX_BYTES = 20_000

const members = (bytes: number) => {
  const parts: string[] = []
  for (let length = 0; length < bytes; length += parts.at(-1)?.length ?? 0) {
    parts.push(`"${parts.length.toString(36)}":1,`)
  }
  return `{${parts.join('')}"customer_id":"cus_new"}`
}
const elements = (bytes: number) => `[${'0,'.repeat(bytes / 2)}0]`

const MIB = 1024 * 1024
const pact = '/sandbox/broker/pacts/provider/p/consumer/c/version/1'

const bodies: Record<string, [string, string, Sent]> = {
  'unknown fields': ['POST', '/sandbox/customers', { bytes: members(MIB - 100) }],
  'unknown fields that a setting ignores': [
    'POST',
    '/v1/subscriptions',
    { bytes: members(MIB - 100), headers: { Authorization: 'Bearer sk_sandbox_default' } },
  ],
  'elements that are wrong': [
    'POST',
    '/sandbox/payment-outcomes',
    { bytes: `{"outcomes":${elements(MIB - 100)}}` },
  ],
  'unknown params': [
    'POST',
    '/sandbox/provider-states',
    { bytes: `{"state":"a customer exists","params":${members(MIB - 100)}}` },
  ],
  'fields of a pact': ['PUT', pact, { bytes: members(16 * MIB - 100) }],
  'contracts that are none': [
    'POST',
    '/sandbox/broker/contracts/publish',
    { bytes: `{"contracts":${elements(16 * MIB - 100)}}` },
  ],
  'a name of an object in place of a text': [
    'PUT',
    pact,
    { bytes: `{"consumer":{"name":[${'[1],'.repeat(100_000)}1]},"provider":{"name":"p"}}` },
  ],
  'base64 that is none': [
    'POST',
    '/sandbox/broker/contracts/publish',
    {
      json: {
        pacticipantName: 'c',
        pacticipantVersionNumber: '1',
        contracts: [
          {
            consumerName: 'c',
            providerName: 'p',
            specification: 'pact',
            content: `${' '.repeat(300_000)}!`,
          },
        ],
      },
    },
  ],
  'escapes in one text': [
    'PUT',
    pact,
    { bytes: `{"consumer":"${'\\n'.repeat(7 * MIB)}","provider":{"name":"p"}}` },
  ],
  'a long name of a state': [
    'POST',
    '/sandbox/provider-states',
    { json: { state: 'x'.repeat(MIB - 100) } },
  ],
}

it.each(Object.entries(bodies))('answers %s shortly, and holds nobody up', async (_, call) => {
  const shop = await openShop()
  await shop.get('/sandbox')
  const held = await shortestOf(HELD_MAX_MS, () => heldBy(shop, call))
  expect(held).toBeLessThan(HELD_MAX_MS)
})

/** How long the loop is held up at most while a call is answered, in ms. */
async function heldBy(shop: Shop, call: (typeof bodies)[string]): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const { status, text } = await shop.call(...call)
  const { count } = delay
  await vi.waitUntil(() => delay.count > count, { interval: 1 })
  delay.disable()
  expect(status).toBe(400)
  expect(text.length).toBeLessThan(ANSWER_MAX_BYTES)
  return delay.max / 1e6
}

it('keeps the name of a field short, however long it was', async () => {
  const shop = await openShop()
  const { body } = await shop.post<{ errors: { field: string }[] }>('/sandbox/customers', {
    customer_id: 'cus_new',
    ['x'.repeat(500_000)]: 1,
  })
  expect(body.errors[0]?.field).toBe('x'.repeat(100))
})
