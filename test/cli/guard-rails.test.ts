import { expect, it } from 'vitest'
import { startListening } from '../../src/cli/commands/serve.ts'
import { outcome, run } from '../support/command-line.ts'

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
  const refused = await outcome(run([...command, option, value]))
  expect(refused.code).toBe(2)
  expect(refused.err).toContain(words)
})

it('does not start open where the control token is empty, nor repeats one that no header can carry', async () => {
  for (const token of ['', 'two words']) {
    const refused = await outcome(run(command, { SANDBOX_CONTROL_TOKEN: token }))
    expect(refused.code).toBe(2)
    expect(refused.err).toContain('SANDBOX_CONTROL_TOKEN must be 1 to 200')
    expect(refused.err).not.toContain('two words')
  }
})

it.each([
  [
    'verify --broker-url http://127.0.0.1:9 --broker-username ada --broker-password x',
    { PACT_BROKER_TOKEN: 't' },
    'PACT_BROKER_TOKEN cannot be combined with --broker-username',
  ],
  ['exec --matrix -- true', { SANDBOX_DEVIATION: 'vary/status-names' }, 'SANDBOX_DEVIATION is one'],
  ['mcp', { SANDBOX_ID: 'mine' }, 'SANDBOX_ID needs --url or SANDBOX_URL'],
  ['doctor', { SANDBOX_DATA: 'nowhere' }, 'SANDBOX_DATA "nowhere" cannot be read'],
])('names the variable where that gave the value: %s', async (line, environment, words) => {
  expect((await outcome(run(line.split(' '), environment))).err).toContain(words)
})

it('names a port that there is in place of one that is in use', async () => {
  const inUse = Object.assign(new Error('in use'), { code: 'EADDRINUSE' })
  const target = { host: '127.0.0.1', port: 65_535, folder: null }
  const listening = startListening(target, () => Promise.reject(inUse))
  await expect(listening).rejects.toThrow('another port: --port 65534, or --port 0')
})
