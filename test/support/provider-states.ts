/** Setting provider states up as a verifier of contracts does. */

import type { WireSubscription } from '../../src/wire/billing/subscription.ts'
import type { WireProblem } from '../../src/wire/common/errors.ts'
import type { WireStateValues } from '../../src/wire/pacts/provider-state.ts'
import type { Answer, Shop } from './control.ts'

export const PATH = '/sandbox/provider-states'

type Params = Readonly<Record<string, unknown>>

/** Sets a state up, and answers its values; throws where it is refused. */
export async function setUp(
  shop: Shop,
  state: string,
  params: Params = {},
): Promise<WireStateValues> {
  const { status, body, text } = await shop.post<WireStateValues>(PATH, {
    action: 'setup',
    state,
    params,
  })
  if (status !== 200) throw new Error(`${state} was answered with ${status}: ${text}`)
  return body
}

/** Asks for a state that is refused. */
export function tryUp(
  shop: Shop,
  state: string,
  params: Params = {},
): Promise<Answer<WireProblem>> {
  return shop.post<WireProblem>(PATH, { action: 'setup', state, params })
}

/** Ends the interaction. */
export function tearDown(shop: Shop): Promise<Answer<unknown>> {
  return shop.post(PATH, { action: 'teardown', state: '', params: {} })
}

/** A subscription as the control plane shows it. */
export async function subscription(shop: Shop, id: string): Promise<WireSubscription> {
  return (await shop.get<WireSubscription>(`/sandbox/subscriptions/${id}`)).body
}

/** A call of the consumer, with the key of the default sandbox. */
export function ask<Body = WireSubscription>(shop: Shop, path: string, json?: unknown) {
  const headers = { Authorization: 'Bearer sk_sandbox_default' }
  const body = json === undefined ? {} : { json }
  return shop.call<Body>('POST', `/v1/subscriptions${path}`, { headers, ...body })
}
