/** The broker of a sandbox: a pact to publish, and both ways to publish it. */
import { openShop, type Shop } from './control.ts'
import { create } from './pacts.ts'

export const BROKER = '/sandbox/broker'
export const WEB = `${BROKER}/pacts/provider/subscription-service/consumer/web%20shop/version/1.0`
export const FOR_VERIFICATION = `${BROKER}/pacts/provider/subscription-service/for-verification`

/** Between whom a pact is, where it is not between the web shop and the service. */
interface Parties {
  readonly consumer?: string
  readonly provider?: string
}

/** A pact of one interaction that fits, unless parts of its request say otherwise. */
export function pact(
  request: object = {},
  { consumer = 'web shop', provider = 'subscription-service' }: Parties = {},
) {
  const response = { status: 200, headers: {}, body: { plan: 'pro' } }
  const description = 'a subscription is created'
  return {
    consumer: { name: consumer },
    provider: { name: provider },
    interactions: [{ description, request: { ...create, ...request }, response }],
    metadata: { pactSpecification: { version: '3.0.0' } },
  }
}

/** Publishes a pact at its address. */
export function put<Body>(shop: Shop, path = WEB, json: unknown = pact()) {
  return shop.call<Body>('PUT', path, { json })
}

/** What a publication says beside its pacts. */
interface Publication {
  readonly consumer?: string
  readonly version?: string
  readonly branch?: string | null
  readonly tags?: readonly string[]
}

/** Publishes texts, each for a provider, as the command line of the Pact Broker does. */
export function publish<Body>(
  shop: Shop,
  contracts: readonly (readonly [provider: string, text: string])[],
  { consumer = 'web shop', version = '1.0', branch = 'main', tags = [] }: Publication = {},
) {
  return shop.post<Body>(`${BROKER}/contracts/publish`, {
    pacticipantName: consumer,
    pacticipantVersionNumber: version,
    branch,
    tags,
    contracts: contracts.map(([providerName, text]) => ({
      consumerName: consumer,
      providerName,
      specification: 'pact',
      contentType: 'application/json',
      content: Buffer.from(text).toString('base64'),
    })),
  })
}

/** Publishes a version of a consumer with a pact for the service, which says something else in each version. */
export function publishVersion(shop: Shop, publication: Publication) {
  const whole = pact({}, { consumer: publication.consumer ?? 'web shop' })
  const [interaction] = whole.interactions
  const description = `a subscription is created by ${publication.version}`
  const text = JSON.stringify({ ...whole, interactions: [{ ...interaction, description }] })
  return publish(shop, [['subscription-service', text]], publication)
}

/** Two consumers: the web shop with a feature branch and a tag, the till without either. */
export async function openShopWithPacts(): Promise<Shop> {
  const shop = await openShop()
  await publishVersion(shop, { version: '1', branch: 'main', tags: ['prod'] })
  await publishVersion(shop, { version: '2', branch: 'main', tags: ['prod'] })
  await publishVersion(shop, { version: '3', branch: 'feature' })
  await publishVersion(shop, { consumer: 'till', version: '7', branch: null })
  return shop
}
