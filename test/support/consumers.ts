/** Calls on /v1 by named consumers, and what is covered by them. */
import type { WireCoverage } from '../../src/wire/sandbox/coverage.ts'
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

/** The coverage of a sandbox. */
export async function covered(shop: Shop, query = ''): Promise<WireCoverage> {
  return (await shop.get<WireCoverage>(`/sandbox/coverage${query}`)).body
}

/** The moves that were seen, and how often. */
export const movesOf = ({ seen }: Pick<WireCoverage, 'seen'>) =>
  seen.transitions.map(({ from, trigger, to, times }) => `${from} ${trigger} ${to} ${times}`)
