/** A server with sandboxes that are called at their base addresses. */
import type { WireError } from '../../src/wire/common/errors.ts'
import { inSandbox, openShop, type Shop } from './control.ts'

export const order = { customer_id: 'cus_ada', plan: 'basic' }
export const bearer = (key: string) => ({ Authorization: `Bearer ${key}` })

/** A server with the sandboxes `one` and `two` beside the default one. */
export async function openTwo(): Promise<Shop> {
  const shop = await openShop()
  for (const id of ['one', 'two']) await shop.call('PUT', `/sandboxes/${id}`)
  return shop
}

export const subscribe = (shop: Shop, base: string, headers: Record<string, string>) =>
  shop.call<WireError>('POST', `${base}/v1/subscriptions`, { json: order, headers })

export async function countIn(shop: Shop, sandboxId: string): Promise<number> {
  const { body } = await inSandbox(shop, sandboxId).get<{ data: unknown[] }>(
    '/sandbox/subscriptions',
  )
  return body.data.length
}
