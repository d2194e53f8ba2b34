/** Calls on /v1 by named consumers. */
import type { Shop } from './control.ts'

/** Calls /v1 as a consumer. */
export function askAs(
  shop: Shop,
  path: string,
  { consumer, type, body, key = 'sk_sandbox_default' }: Record<string, string> = {},
) {
  const headers = {
    Authorization: `Bearer ${key}`,
    ...(type === undefined ? {} : { 'Content-Type': type }),
    ...(consumer === undefined ? {} : { 'Sandbox-Consumer': consumer }),
  }
  return shop.app.request(`/v1/${path}`, { method: 'POST', headers, ...(body && { body }) })
}

/** Has a customer subscribe, in JSON unless told otherwise. */
export function subscribeAs(shop: Shop, more: Record<string, string> = {}) {
  const body = '{"customer_id":"cus_ada","plan":"pro"}'
  return askAs(shop, 'subscriptions', { type: 'application/json', body, ...more })
}
