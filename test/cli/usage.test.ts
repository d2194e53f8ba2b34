import { expect, it } from 'vitest'
import { programFor } from '../../src/cli/program.ts'
import { failed, failToServe, run, serve, served, temporaryFolder } from '../support/process.ts'

const program = 'subscription-sandbox'

it.each([
  [['serv'], "Unknown command 'serv' (Did you mean serve?)", program],
  [
    ['serve', '--prot', '1'],
    "Unknown option '--prot' (Did you mean --port?)",
    'subscription-sandbox serve',
  ],
  [['serve', '--port'], "Option '--port <number>' argument missing.", 'subscription-sandbox serve'],
  [
    ['serve', 'now'],
    "Too many arguments for 'serve'. Expected 0 arguments but got 1.",
    'subscription-sandbox serve',
  ],
  [[], 'A command is missing.', program],
])('says in one line what is wrong, and where the help is: %j', async (args, line, command) => {
  const refused = run(args)
  expect(await refused.ended).toBe(2)
  expect(refused.errors()).toBe(`${line}\nSee: ${command} --help\n`)
  expect(refused.output()).toBe('')
})

it('has help with examples for every command, in lines of at most 80 columns', async () => {
  const program = await programFor([], true)
  const leaves = program.commands.flatMap((each) => [each, ...each.commands])
  const shown = leaves.filter((each) => each.name() !== 'complete')
  expect(shown.length).toBeGreaterThan(80)
  for (const command of [program, ...shown]) {
    let text = ''
    command.configureOutput({ writeOut: (part) => (text += part), getOutHelpWidth: () => 80 })
    command.outputHelp()
    if (command !== program) expect(text, command.name()).toContain('Examples:\n  subscription-')
    expect(text.split('\n').filter((line) => line.length > 80)).toEqual([])
  }
})

it('prints help where it is asked for, in both ways', async () => {
  const [asked, helped] = [run(['serve', '--help']), run(['help', 'serve'])]
  expect(await asked.ended).toBe(0)
  expect(asked.output()).toMatch(/^Usage: subscription-sandbox serve \[options\]\n/)
  expect(asked.errors()).toBe('')
  expect(await helped.ended).toBe(0)
  expect(helped.output()).toBe(asked.output())
})

it('says what exit codes mean', async () => {
  const asked = run(['--help'])
  expect(await asked.ended).toBe(0)
  expect(asked.output()).toMatch(
    /\n {2}1 {2}a check failed, or .*\n {2}2 {2}the command was used wrongly\n/,
  )
})

it('prints its version', async () => {
  const asked = run(['--version'])
  expect(await asked.ended).toBe(0)
  expect(asked.output()).toMatch(/^\d+\.\d+\.\d+\n$/)
})

it.each([
  ['SANDBOX_PORT', 'abc', 'an integer from 0 to 65535; got "abc"'],
  ['PORT', 'abc', 'an integer from 0 to 65535; got "abc"'],
  ['SANDBOX_DURABILITY', 'never', 'one of: commit, batch; got "never"'],
  ['SANDBOX_LOCK', 'file', 'one of: kernel, none; got "file"'],
  ['SANDBOX_CLOCK_START', 'soon', 'an instant such as 2027-01-31T10:00:00Z, a date, or now'],
  ['SANDBOX_ALLOW_ORIGIN', 'http://a.test,b', 'an origin such as http://localhost:3000'],
  ['SANDBOX_EXPIRE', 'PT1S', 'an ISO 8601 duration of at least a minute'],
  ['SANDBOX_RUNNING', 'maybe', 'true or false; got "maybe"'],
])('names the variable whose value is wrong: %s', async (name, value, rule) => {
  const refused = await failed(run(['serve', '--data', 'memory'], { [name]: value }))
  expect(refused.code).toBe(2)
  expect(refused.errors).toContain(`${name} must be ${rule}`)
})

it.each([
  ['--data', '', 'a folder, or memory; got ""'],
  ['--host', '', 'a host name or an IP address, without a port; got ""'],
  ['--host', '999.1.1.1', 'a host name or an IP address, without a port; got "999.1.1.1"'],
  ['--allow-host', 'a b', 'a host name or an IP address, without a port; got "a b"'],
  ['--allow-host', 'a.test,b.test:80', 'a host name or an IP address, without a port; got "b.test'],
  ['--allow-webhook-host', 'a b', 'a host name or an IP address, without a port; got "a b"'],
])('names the option whose value is wrong: %s %j', async (option, value, rule) => {
  const refused = await failed(run(['serve', '--port', '0', '--data', 'memory', option, value]))
  expect(refused.code).toBe(2)
  expect(refused.errors).toContain(`${option} must be ${rule}`)
})

it('says where it cannot listen, and takes addresses of both kinds', async () => {
  const args = ['--data', 'memory', '--host']
  const refused = await failToServe(...args, 'no-such-machine.invalid')
  expect(refused.code).toBe(3)
  expect(refused.errors).toMatch(
    /^This machine has no address no-such-machine\.invalid to listen at /,
  )
  const sandbox = await serve(...args, '127.0.0.2', '--allow-host', 'a_b.test,[::1],10.0.0.1')
  expect(await sandbox.stop()).toBe(0)
})

it('refuses a folder that cannot be made', async () => {
  const refused = await failToServe('--data', '/proc/nope/data')
  expect(refused.code).toBe(3)
  expect(refused.errors).toMatch(
    /^\/proc\/nope\/data cannot be made: ENOENT: .*mkdir '\/proc\/nope'/,
  )
})

it('takes every option from the environment, and an option of the command line before it', async () => {
  const folder = await temporaryFolder()
  const environment = {
    SANDBOX_PORT: '0',
    PORT: 'not looked at',
    SANDBOX_DATA: folder.path,
    SANDBOX_FIXTURE: 'empty',
    SANDBOX_CLOCK_START: '2027-05-01',
    SANDBOX_QUIET: 'yes',
    SANDBOX_RUNNING: 'false',
    SANDBOX_DURABILITY: '',
    SANDBOX_ALLOW_HOST: 'one.test,two.test',
  }
  const args = ['serve', '--clock-start', '2027-06-01']
  const sandbox = await served(run(args, environment))
  expect(sandbox.output()).toMatch(/virtual now 2027-06-01T00:00:00\.000Z\n/)
  expect(sandbox.output()).toContain(`\ndata ${folder.path}`)
  const read = (path: string) => fetch(`${sandbox.url}${path}`)
  expect(await (await read('/sandbox')).json()).toMatchObject({ counts: { customers: 0 } })
  expect(await (await read('/sandbox/clock')).json()).toMatchObject({ mode: 'frozen' })
  await sandbox.stop()
  expect(sandbox.errors()).toBe('')
  await folder.remove()
})

it('says at a second start that it continues with what is there', async () => {
  const folder = await temporaryFolder()
  const environment = { SANDBOX_PORT: '0', SANDBOX_DATA: folder.path }
  const first = await served(run(['serve'], environment))
  expect(first.output()).not.toContain('continues')
  const move = { method: 'PUT', body: '{"now":"2027-03-01"}' }
  const headers = { 'Content-Type': 'application/json' }
  expect((await fetch(`${first.url}/sandbox/clock`, { ...move, headers })).status).toBe(200)
  expect((await fetch(`${first.url}/sandboxes/other`, { method: 'PUT' })).status).toBe(201)
  await first.stop()

  const second = await served(run(['serve'], environment))
  expect(second.output()).toContain(`data ${folder.path}, continues with its 2 sandboxes\n`)
  expect(second.output()).toContain('virtual now 2027-03-01T00:00:00.000Z')
  await second.stop()
  await folder.remove()
})
