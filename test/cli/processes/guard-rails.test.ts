import { expect, it } from 'vitest'
import { run, serve, served } from '../../support/process.ts'

const command = ['serve', '--port', '0', '--data', 'memory']

it('takes the control token from the environment, and origins from both', async () => {
  const environment = {
    SANDBOX_CONTROL_TOKEN: 'secret',
    ALLOW_ORIGINS: 'http://one.test,http://two.test',
  }
  const sandbox = await served(run([...command, '--expire', 'PT1H'], environment))
  const ask = async (headers: Record<string, string>) => {
    const answer = await fetch(`${sandbox.url}/sandbox`, { headers })
    await answer.text()
    return [answer.status, answer.headers.get('access-control-allow-origin')]
  }
  const token = { 'Sandbox-Control-Token': 'secret' }
  expect(await ask({ Origin: 'http://two.test' })).toEqual([401, 'http://two.test'])
  expect(await ask({ ...token, Origin: 'http://two.test' })).toEqual([200, 'http://two.test'])
  expect(await ask({ ...token, Origin: 'http://three.test' })).toEqual([200, null])
  // What it says how to go on with works where the variable is set.
  expect(sandbox.output()).toContain(
    '/sandbox/invoices -H "Sandbox-Control-Token: $SANDBOX_CONTROL_TOKEN"',
  )
  expect(sandbox.output()).not.toContain('secret')
  expect(await sandbox.stop()).toBe(0)
})

it('makes the examples behind its own control token', async () => {
  const sandbox = await serve('--data', 'memory', '--examples', '--control-token', 'secret')
  const headers = { 'Sandbox-Control-Token': 'secret', 'Sandbox-Id': 'examples' }
  expect((await fetch(`${sandbox.url}/sandbox`, { headers })).status).toBe(200)
  await sandbox.stop()
})
