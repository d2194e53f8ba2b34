/** The example calls of contracts, of the broker, and of webhooks. */
import {
  about,
  asks,
  consumer,
  EXAMPLE_WEBHOOK_SECRET,
  type ExampleAnswers,
  type ExampleCalls,
  examplePact,
  exampleSandboxes,
  only,
  provider,
  sends,
} from './call.ts'

const { fork } = exampleSandboxes
const pact = { provider, consumer, version: '1.0.0' }
const version = { pacticipant: consumer, version: '1.0.0' }

/** The calls, given the answers so far. */
export const contractCalls = (answers: ExampleAnswers): ExampleCalls => ({
  listContracts: asks({ limit: 2 }),
  retrieveContract: about({ file: 'reference-json-client-subscription-service.json' }),
  checkContract: sends(examplePact),
  listProviderStates: asks({ limit: 1 }),
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

  retrieveBroker: only({}),
  listPublishedPacts: asks({ limit: 1 }),
  retrievePact: about(pact),
  publishPact: about({ ...pact, version: '1.1.0' }, examplePact),
  deletePact: about({ ...pact, version: '0.9.0' }),
  publishContracts: sends({
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
  publishVerificationResult: about(pact, { success: true, providerApplicationVersion: '2.0.0' }),
  retrieveVerificationResult: about({ ...pact, number: '1' }),
  retrieveProviderPacts: about({ provider }),
  selectProviderPacts: about({ provider }, { consumerVersionSelectors: [{ mainBranch: true }] }),
  listLatestPacts: only({}),
  listLatestProviderPacts: about({ provider }),
  listLatestTaggedPacts: about({ provider, tag: 'production' }),
  retrievePacticipant: about({ pacticipant: consumer }),
  retrievePacticipantVersion: about(version),
  tagPacticipantVersion: about({ ...version, tag: 'staging' }, {}),
  putPacticipantVersionOnBranch: about({ ...version, branch: 'main' }, {}),
  retrieveMatrix: asks({
    'q[][pacticipant]': [consumer],
    'q[][version]': ['1.0.0'],
    latest: 'true',
  }),

  listWebhooks: asks({ limit: 2 }),
  createWebhook: sends({
    url: 'http://127.0.0.1:3000/hooks',
    event_types: ['payment.failed', 'subscription.canceled'],
    secret: EXAMPLE_WEBHOOK_SECRET,
  }),
  retrieveWebhook: about({ webhook_id: 'wh_000001' }),
  deleteWebhook: about({ webhook_id: 'wh_000002' }),
  listWebhookDeliveries: asks({ limit: 2, status: 'failed' }),
  redeliverWebhookDelivery: about({ delivery_id: deliveryIn(answers) }),
})

/** The delivery that a list was answered. */
function deliveryIn(answers: ExampleAnswers): string {
  const list = answers['listWebhookDeliveries']?.['example']?.body
  const [delivery] = (list as { data: { delivery_id: string }[] } | undefined)?.data ?? []
  return delivery?.delivery_id ?? ''
}
