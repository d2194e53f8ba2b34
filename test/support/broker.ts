/** The broker of a sandbox: a pact to publish, and both ways to publish it. */
import type { Shop } from './control.ts'
import { create } from './pacts.ts'

export const BROKER = '/sandbox/broker'
export const WEB = `${BROKER}/pacts/provider/subscription-service/consumer/web%20shop/version/1.0`
export const FOR_VERIFICATION = `${BROKER}/pacts/provider/subscription-service/for-verification`

/** A pact of one interaction that fits, unless parts of its request say otherwise. */
export function pact(request: object = {}) {
  const response = { status: 200, headers: {}, body: { plan: 'pro' } }
  const description = 'a subscription is created'
  return {
    consumer: { name: 'web shop' },
    provider: { name: 'subscription-service' },
    interactions: [{ description, request: { ...create, ...request }, response }],
    metadata: { pactSpecification: { version: '3.0.0' } },
  }
}

/** Publishes a pact at its address. */
export function put<Body>(shop: Shop, path = WEB, json: unknown = pact()) {
  return shop.call<Body>('PUT', path, { json })
}

/** Publishes texts, each under the name of its consumer, as the command line of the Pact Broker does. */
export function publish<Body>(shop: Shop, contracts: readonly (readonly [string, string])[]) {
  return shop.post<Body>(`${BROKER}/contracts/publish`, {
    pacticipantName: 'web shop',
    pacticipantVersionNumber: '1.0',
    branch: 'main',
    contracts: contracts.map(([consumerName, text]) => ({
      consumerName,
      providerName: 'subscription-service',
      specification: 'pact',
      contentType: 'application/json',
      content: Buffer.from(text).toString('base64'),
    })),
  })
}
