/** The least that a verification takes: the Pact core alone, on one file against one provider. */
import pact from '@pact-foundation/pact-core'

const [file, url] = process.argv.slice(2)
process.env.PACT_DO_NOT_TRACK = 'true'
await pact.default.verifyPacts({
  providerBaseUrl: url,
  pactUrls: [file],
  providerStatesSetupUrl: `${url}/sandbox/provider-states`,
  logLevel: 'error',
})
