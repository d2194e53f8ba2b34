/** The example calls of contracts, of the broker, and of webhooks. */
import {
  body,
  call,
  consumer,
  EXAMPLE_WEBHOOK_SECRET,
  type ExampleAnswers,
  type ExampleCalls,
  exampleOf,
  examplePact,
  exampleSandboxes,
  provider,
  query,
} from './call.ts'

const { fork } = exampleSandboxes
const pact = { provider, consumer, version: '1.0.0' }
const version = { pacticipant: consumer, version: '1.0.0' }

/** The calls, given the answers so far. */
export const contractCalls = (answers: ExampleAnswers): ExampleCalls => ({
  listContracts: query({ limit: 2 }),
  retrieveContract: exampleOf({ file: 'reference-json-client-subscription-service.json' }),
  checkContract: body(examplePact),
  listProviderStates: query({ limit: 1 }),
  changeProviderState: {
    setup: {
      summary: 'A subscription with a discount',
      sandbox: fork,
      body: {
        action: 'setup',
        state: 'a subscription exists',
        params: { subscription_id: 'sub_of_the_shop', coupon_id: 'SAVE20' },
      },
    },
    teardown: {
      summary: 'After the interaction',
      sandbox: fork,
      body: { action: 'teardown', state: 'a subscription exists', params: {} },
    },
  },

  retrieveBroker: call({}),
  listPublishedPacts: query({ limit: 1 }),
  retrievePact: exampleOf(pact),
  publishPact: {
    first: {
      summary: 'A new version of the consumer',
      params: { ...pact, version: '1.1.0' },
      body: examplePact,
    },
    again: { summary: 'The same content again', params: pact, body: examplePact },
  },
  deletePact: exampleOf({ ...pact, version: '0.9.0' }),
  publishContracts: body({
    pacticipantName: consumer,
    pacticipantVersionNumber: '1.2.0',
    branch: 'main',
    contracts: [
      {
        consumerName: consumer,
        providerName: provider,
        specification: 'pact',
        contentType: 'application/json',
        content: btoa(JSON.stringify(examplePact)),
      },
    ],
  }),
  publishVerificationResult: exampleOf(pact, {
    success: true,
    providerApplicationVersion: '2.0.0',
  }),
  retrieveProviderPacts: exampleOf({ provider }),
  selectProviderPacts: exampleOf(
    { provider },
    { consumerVersionSelectors: [{ mainBranch: true }] },
  ),
  listLatestPacts: call({}),
  listLatestProviderPacts: exampleOf({ provider }),
  retrievePacticipant: exampleOf({ pacticipant: consumer }),
  retrievePacticipantVersion: exampleOf(version),
  tagPacticipantVersion: exampleOf({ ...version, tag: 'staging' }, {}),
  putPacticipantVersionOnBranch: exampleOf({ ...version, branch: 'main' }, {}),
  retrieveMatrix: query({
    'q[][pacticipant]': [consumer],
    'q[][version]': ['1.0.0'],
    latest: 'true',
  }),

  listWebhooks: query({ limit: 1 }),
  createWebhook: body({
    url: 'http://127.0.0.1:3000/hooks',
    event_types: ['payment.failed', 'subscription.canceled'],
    secret: EXAMPLE_WEBHOOK_SECRET,
  }),
  retrieveWebhook: exampleOf({ webhook_id: 'wh_000001' }),
  deleteWebhook: exampleOf({ webhook_id: 'wh_000002' }),
  listWebhookDeliveries: query({ limit: 1, status: 'failed' }),
  redeliverWebhookDelivery: exampleOf({ delivery_id: deliveryIn(answers) }),
})

/** The delivery that a list was answered. */
function deliveryIn(answers: ExampleAnswers): string {
  const list = answers['listWebhookDeliveries']?.['example']?.body
  const [delivery] = (list as { data: { delivery_id: string }[] } | undefined)?.data ?? []
  return delivery?.delivery_id ?? ''
}
