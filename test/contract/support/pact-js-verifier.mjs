/** A process that runs the `Verifier` of pact-js: prints its report, and ends with 1 where a pact does not hold. */
import { Verifier } from '@pact-foundation/pact'

const [providerBaseUrl, ...pactUrls] = process.argv.slice(2)
const verifier = new Verifier({
  provider: 'subscription-service',
  providerBaseUrl,
  providerStatesSetupUrl: `${providerBaseUrl}/sandbox/provider-states`,
  pactUrls,
  logLevel: 'error',
})
await verifier.verifyProvider().catch(() => {
  process.exitCode = 1
})
