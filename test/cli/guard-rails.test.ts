import { expect, it } from 'vitest'
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
