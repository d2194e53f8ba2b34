/**
 * A process that runs the official Pact core and nothing else: verifies what a broker has for a provider, and answers
 * what came of it. Whatever the core prints stays in this process.
 */
import core from '@pact-foundation/pact-core'

const [providerBaseUrl, pactBrokerUrl, token] = process.argv.slice(2)
const statesUrl = new URL('/sandbox/provider-states', providerBaseUrl)
// The address of the states is all that it takes to send a password there.
if (token !== undefined) statesUrl.password = token

// A failed verification is an error whose message is the report.
const report = await core
  .verifyPacts({
    provider: 'subscription-service',
    providerBaseUrl,
    providerStatesSetupUrl: String(statesUrl),
    pactBrokerUrl,
    ...(token === undefined ? {} : { pactBrokerToken: token }),
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
