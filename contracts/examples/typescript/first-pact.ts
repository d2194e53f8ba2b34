/** A first pact: one interaction of the shop `my-shop`, played against a mock and written into a folder. */
import {
  HTTPResponseStatusClass,
  MatchersV3,
  PactV3,
  SpecificationVersion,
} from '@pact-foundation/pact'

/** The client that is under test: it upgrades a subscription to the plan pro, and reads which plan it is on. */
async function upgrade(baseUrl: string, subscriptionId: string): Promise<string> {
  const answer = await fetch(`${baseUrl}/v1/subscriptions/${subscriptionId}/update`, {
    method: 'POST',
    headers: {
      Authorization: 'Bearer sk_sandbox_default',
      'Content-Type': 'application/x-www-form-urlencoded',
    },
    body: 'plan=pro',
  })
  if (!answer.ok) throw new Error(`The service answered ${answer.status}.`)
  const { plan } = (await answer.json()) as { plan: string }
  return plan
}

const [folder = 'pacts'] = process.argv.slice(2)
const pact = new PactV3({
  consumer: 'my-shop',
  provider: 'subscription-service',
  dir: folder,
  // Version 4, because it can leave the status of a success open.
  spec: SpecificationVersion.SPECIFICATION_VERSION_V4,
  logLevel: 'error',
})

pact
  .given('a subscription exists', { subscription_id: 'sub_mine', plan: 'basic' })
  .uponReceiving('a form that upgrades a subscription')
  .withRequest({
    method: 'POST',
    path: '/v1/subscriptions/sub_mine/update',
    headers: {
      Authorization: 'Bearer sk_sandbox_default',
      'Content-Type': 'application/x-www-form-urlencoded',
    },
    body: { plan: 'pro' },
  })
  .willRespondWith({
    status: MatchersV3.matchStatus(200, HTTPResponseStatusClass.Success),
    headers: { 'Content-Type': 'application/json' },
    body: { customer_id: MatchersV3.string('cus_ada'), plan: MatchersV3.string('pro') },
  })

await pact.executeTest(async ({ url }) => {
  const plan = await upgrade(url, 'sub_mine')
  if (plan !== 'pro') throw new Error(`The subscription is on ${plan}.`)
})
