/** The example calls of the broker. */
import { consumer, type ExampleCalls, examplePact, provider } from './call.ts'

const pact = { provider, consumer, version: '1.0.0' }
const version = { pacticipant: consumer, version: '1.0.0' }

export const brokerCalls: ExampleCalls = {
  retrieveBroker: { example: {} },
  listPublishedPacts: { example: { query: { limit: 1 } } },
  retrievePact: { example: { params: pact } },
  publishPact: { example: { params: { ...pact, version: '1.1.0' }, body: examplePact } },
  deletePact: { example: { params: { ...pact, version: '0.9.0' } } },
  publishContracts: {
    example: {
      body: {
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
      },
    },
  },
  publishVerificationResult: {
    example: {
      params: pact,
      body: { success: true, providerApplicationVersion: '2.0.0' },
    },
  },
  retrieveVerificationResult: { example: { params: { ...pact, number: '1' } } },
  retrieveProviderPacts: { example: { params: { provider } } },
  selectProviderPacts: {
    example: {
      params: { provider },
      body: { consumerVersionSelectors: [{ mainBranch: true }] },
    },
  },
  listLatestPacts: { example: {} },
  listLatestProviderPacts: { example: { params: { provider } } },
  listLatestTaggedPacts: { example: { params: { provider, tag: 'production' } } },
  retrievePacticipant: { example: { params: { pacticipant: consumer } } },
  retrievePacticipantVersion: { example: { params: version } },
  tagPacticipantVersion: { example: { params: { ...version, tag: 'staging' }, body: {} } },
  putPacticipantVersionOnBranch: { example: { params: { ...version, branch: 'main' }, body: {} } },
  retrieveMatrix: {
    example: {
      query: { 'q[][pacticipant]': [consumer], 'q[][version]': ['1.0.0'], latest: 'true' },
    },
  },
}
