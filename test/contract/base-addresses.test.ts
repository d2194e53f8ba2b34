/** Stock verifiers in parallel: two pacts against two sandboxes of one server, by base address and with keys of their own. */
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { newcomerFolder, written } from '../support/newcomer.ts'
import { pactText } from '../support/pacts.ts'
import { runProgram, serve } from '../support/process.ts'

const INTERACTIONS = 6

/** A pact whose states would remove what the other one's set up. No generator gives it the key of a sandbox. */
function pactFor(consumer: string, plan: string): string {
  const interactions = Array.from({ length: INTERACTIONS }, (_, at) => {
    const id = `sub_${consumer}_${at}`
    const params = { subscription_id: id, plan }
    return {
      description: `pauses subscription ${at} of ${consumer}`,
      providerStates: [{ name: 'a subscription exists', params }],
      request: {
        method: 'POST',
        path: `/v1/subscriptions/${id}/pause`,
        headers: { Authorization: `Bearer key-of-${consumer}` },
      },
      response: { status: 200, body: { plan } },
    }
  })
  return pactText(interactions, { consumer: { name: consumer } })
}

const script = `
  import { Verifier } from '@pact-foundation/pact'
  const [server, ...consumers] = process.argv.slice(2)
  const verify = (consumer) =>
    new Verifier({
      provider: 'subscription-service',
      providerBaseUrl: \`\${server}/sandboxes/\${consumer}\`,
      providerStatesSetupUrl: \`\${server}/sandboxes/\${consumer}/provider-states\`,
      pactUrls: [\`\${consumer}.json\`],
      logLevel: 'error',
    }).verifyProvider()
  await Promise.all(consumers.map(verify))
`

it('verify their pacts at once, each in the sandbox of its address', async () => {
  const { url, stop } = await serve('--data', 'memory')
  await using folder = await newcomerFolder()
  const plans = { web: 'basic', app: 'pro' }
  for (const [consumer, plan] of Object.entries(plans)) {
    await written(folder.path, `${consumer}.json`, pactFor(consumer, plan))
    await fetch(`${url}/sandboxes/${consumer}`, { method: 'PUT' })
  }
  await written(folder.path, 'verify.mjs', script)
  const consumers = Object.keys(plans)
  const verifying = [process.execPath, join(folder.path, 'verify.mjs'), url, ...consumers] as const
  const ran = runProgram(verifying, { PACT_DO_NOT_TRACK: 'true' }, folder.path)
  expect(await ran.ended, ran.output() + ran.errors()).toBe(0)
  const callsOf = async (id: string) => (await readIn(url, id, 'coverage')).calls
  expect(await callsOf('default')).toBe(0)
  for (const consumer of consumers) {
    expect(await callsOf(consumer)).toBe(INTERACTIONS)
    // The log begins again with the teardown of the last state.
    const { data = [] } = await readIn(url, consumer, 'requests')
    expect(data.map(({ by_address }) => by_address)).toEqual([true])
  }
  await stop()
})

/** What the control plane answers in a sandbox. */
async function readIn(url: string, sandboxId: string, path: string): Promise<Answered> {
  const headers = { 'Sandbox-Id': sandboxId }
  return (await fetch(`${url}/sandbox/${path}`, { headers })).json() as Promise<Answered>
}

interface Answered {
  readonly calls?: number
  readonly data?: readonly { readonly by_address: boolean }[]
}
