/** What webhooks can be in the midst of, when somebody asks for something else. */
import { setTimeout as pause } from 'node:timers/promises'
import type { WireDelivery } from '../../src/wire/webhook.ts'
import { WEBHOOKS_MAX } from '../../src/world/commands/webhooks.ts'
import type { Shop } from './control.ts'
import { openReceiver, SECRET } from './receiver.ts'

const DELIVERIES = '/sandbox/webhooks/deliveries'
const subscription = { customer_id: 'cus_ada', plan: 'basic' }

export async function manyWebhooks(shop: Shop): Promise<void> {
  for (let left = WEBHOOKS_MAX; left > 0; left -= 1) {
    await shop.post('/sandbox/webhooks', { url: 'http://localhost:9/' })
  }
}

/** An advance in lockstep with a receiver that does not answer. */
export async function inLockstep(shop: Shop): Promise<void> {
  const { url, until } = await openReceiver(() => 'hang')
  await shop.post('/sandbox/webhooks', { url, secret: SECRET })
  await shop.post('/sandbox/subscriptions', subscription)
  void shop.post('/sandbox/clock/advance', { by: 'P1D', lockstep: true })
  await until(1)
}

/** A delivery that is tried again later; answers its path. */
export async function pendingDelivery(shop: Shop): Promise<string> {
  const { url } = await openReceiver(() => 500)
  await shop.post('/sandbox/webhooks', { url, secret: SECRET })
  await shop.post('/sandbox/subscriptions', subscription)
  for (;;) {
    const { body } = await shop.get<{ data: WireDelivery[] }>(DELIVERIES)
    const [delivery] = body.data
    if (delivery !== undefined) return `${DELIVERIES}/${delivery.delivery_id}`
    await pause(5)
  }
}
