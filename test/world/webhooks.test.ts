import { expect, it } from 'vitest'
import { createWebhook, DELIVERIES_KEPT, recordAttempt } from '../../src/world/commands/webhooks.ts'
import type { Receipt } from '../../src/world/webhook.ts'
import { recordFacts, type World } from '../../src/world/world.ts'
import { openShop } from '../support/shop.ts'

const failed: Receipt = { isDelivered: false, reason: 'answered 500', isHanging: false }

/** Something happens, and a webhook is told of it. */
function tell(
  world: World,
  webhookId: string,
  { receipt, attemptsMax }: { readonly receipt: Receipt; readonly attemptsMax: number },
): void {
  const subject = { kind: 'sandbox', id: world.sandboxId } as const
  const cause = { kind: 'request', requestId: null } as const
  recordFacts(world, [{ type: 'sandbox.reset', subject, detail: { fixture: 'starter' } }], cause)
  const webhook = world.webhooks.get(webhookId)
  const event = world.events.newest
  if (webhook === undefined || event === undefined) throw new Error('Nothing to tell')
  recordAttempt(world, { webhook, event, skipped: 0 }, { receipt, attemptsMax })
}

it('keeps the newest deliveries, and those that are still under way', () => {
  const world = openShop()
  const order = { url: 'http://localhost/', secret: null, eventTypes: null }
  createWebhook(world, order)
  createWebhook(world, order)
  tell(world, 'wh_000002', { receipt: failed, attemptsMax: 2 })
  const [pending] = world.webhookDeliveries.keys()
  for (let told = 0; told < DELIVERIES_KEPT + 5; told += 1) {
    tell(world, 'wh_000001', { receipt: { isDelivered: true }, attemptsMax: 1 })
  }
  const kept = [...world.webhookDeliveries.keys()]
  expect(kept).toHaveLength(DELIVERIES_KEPT)
  expect(kept[0]).toBe(pending)
  expect(kept.at(-1)).toBe(`wh_000001_${world.sequences.events}`)
  expect(world.webhooks.get('wh_000001')?.doneSeq).toBe(world.sequences.events)
  expect(world.webhookDeliveries.get(pending ?? '')?.status).toBe('pending')
})
