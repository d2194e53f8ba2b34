import { expect, it } from 'vitest'
import { failed, run, serve, served } from '../support/process.ts'

const command = ['serve', '--port', '0', '--data', 'memory']

it.each([
  [
    '--expire',
    'PT30S',
    'of at least a minute, without years and months, such as PT2H; got "PT30S"',
  ],
  ['--expire', 'P1M', 'without years and months'],
  ['--expire', 'soon', 'got "soon"'],
  [
    '--allow-origin',
    '*',
    'must be an origin such as http://localhost:3000, without a path; got "*"',
  ],
  ['--allow-origin', 'http://localhost:3000/app', 'without a path'],
  ['--allow-origin', 'localhost:3000', 'got "localhost:3000"'],
  ['--control-token', '', '--control-token must be 1 to 200 visible ASCII characters'],
])('ends with 2 and says what is wrong with %s %j', async (option, value, words) => {
  const refused = await failed(run([...command, option, value]))
  expect(refused.code).toBe(2)
  expect(refused.errors).toContain(words)
})

it('does not start open where the control token is empty, nor repeats one that no header can carry', async () => {
  for (const token of ['', 'two words']) {
    const refused = await failed(run(command, { SANDBOX_CONTROL_TOKEN: token }))
    expect(refused.code).toBe(2)
    expect(refused.errors).toContain('SANDBOX_CONTROL_TOKEN must be 1 to 200')
    expect(refused.errors).not.toContain('two words')
  }
})

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
