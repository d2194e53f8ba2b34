/** What the guides type for the pacts of a Pact Broker verifies them, and publishes the results. */
import { expect, it } from 'vitest'
import { commandIn } from '../support/fences.ts'
import { newcomerFolder } from '../support/newcomer.ts'
import { servePactBroker } from '../support/pact-broker.ts'
import { creates, pactText } from '../support/pacts.ts'
import { runProgram } from '../support/process.ts'

const TOKEN = 'a-token-of-a-broker'

it('verifies and publishes by the commands of the guides', async () => {
  const text = pactText([creates('fits', { status: 200 })])
  const authorization = `Bearer ${TOKEN}`
  const broker = await servePactBroker([{ consumer: 'web', branch: 'main', text }], {
    authorization,
  })
  const commands = [
    await commandIn('docs/guides/contracts.md', 'npx subscription-sandbox verify --selector'),
    await commandIn(
      'docs/guides/ci.md',
      'npx subscription-sandbox verify --selector mainBranch --selector deployedOrReleased --enable-pending --provider-branch "$GITHUB_REF_NAME"',
    ),
    await commandIn(
      'docs/guides/ci.md',
      'npx subscription-sandbox verify --selector mainBranch --selector deployedOrReleased --enable-pending --provider-branch "$CI_COMMIT_REF_NAME"',
    ),
  ]
  await using folder = await newcomerFolder()
  const environment = {
    ...{ PACT_BROKER_BASE_URL: broker.url, PACT_BROKER_TOKEN: TOKEN, GIT_COMMIT: 'typed' },
    ...{ GITHUB_REF_NAME: 'main', GITHUB_SHA: 'by-github' },
    ...{ CI_COMMIT_REF_NAME: 'main', CI_COMMIT_SHA: 'by-gitlab' },
  }
  for (const command of commands) {
    const typing = runProgram(['sh', '-ec', command], environment, folder.path)
    expect(await typing.ended, typing.errors()).toBe(0)
  }
  const results = broker.sent.filter(({ method }) => method === 'POST')
  const told = results.map(({ body }) => [body['providerApplicationVersion'], body['success']])
  expect(told).toEqual([
    ['typed', true],
    ['by-github', true],
    ['by-gitlab', true],
  ])
  broker.close()
})
