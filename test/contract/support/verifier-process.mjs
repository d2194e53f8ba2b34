/**
 * A process that runs the official Pact core and nothing else: verifies the files it is told to, one after another, or
 * what a broker has for it, and answers what came of each. Whatever the core prints stays in this process.
 */
import core from '@pact-foundation/pact-core'

process.once('message', async ({ providerBaseUrl, files, broker }) => {
  const outcomes = []
  for (const file of files) {
    outcomes.push({ file, ...(await verified(providerBaseUrl, { pactUrls: [file] })) })
  }
  if (broker !== null) {
    const published = {
      pactBrokerUrl: broker,
      consumerVersionSelectors: [{ latest: true }],
      publishVerificationResult: true,
      providerVersion: '1.0.0',
    }
    outcomes.push({ file: broker, ...(await verified(providerBaseUrl, published)) })
  }
  process.send(outcomes, () => process.disconnect())
})

async function verified(providerBaseUrl, source) {
  try {
    const options = {
      provider: 'subscription-service',
      providerBaseUrl,
      ...source,
      providerStatesSetupUrl: `${providerBaseUrl}/sandbox/provider-states`,
      logLevel: 'error',
    }
    return outcomeOf(JSON.parse(await core.verifyPacts(options)))
  } catch (error) {
    return outcomeOf(reportIn(error))
  }
}

function outcomeOf({ result, interactionResults, errors }) {
  const failed = interactionResults.filter((each) => each.result !== 'OK')
  return {
    isVerified: result,
    interactions: interactionResults.length,
    failed: failed.map(({ description }) => description),
    errors: errors.map((each) => JSON.stringify(each)),
  }
}

/** A failed verification is an error whose message is the report; every other error is one of ours. */
function reportIn(error) {
  try {
    return JSON.parse(error.message)
  } catch {
    throw error
  }
}
