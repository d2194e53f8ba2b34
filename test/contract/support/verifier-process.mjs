/**
 * A process that runs the official Pact core and nothing else: verifies what a broker has for a provider, and answers
 * what came of it. Whatever the core prints stays in this process.
 */
import core from '@pact-foundation/pact-core'

const [providerBaseUrl, pactBrokerUrl] = process.argv.slice(2)

// A failed verification is an error whose message is the report.
const report = await core
  .verifyPacts({
    provider: 'subscription-service',
    providerBaseUrl,
    providerStatesSetupUrl: `${providerBaseUrl}/sandbox/provider-states`,
    pactBrokerUrl,
    consumerVersionSelectors: [{ latest: true }],
    publishVerificationResult: true,
    providerVersion: '1.0.0',
    providerVersionBranch: 'main',
    providerVersionTags: ['prod'],
    logLevel: 'error',
  })
  .catch((error) => error.message)
const { result, interactionResults, errors } = JSON.parse(report)
const failed = interactionResults.filter((each) => each.result !== 'OK')
process.send({
  isVerified: result,
  interactions: interactionResults.length,
  failed: failed.map(({ description }) => description),
  errors,
})
process.disconnect()
