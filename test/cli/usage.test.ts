import { readFile } from 'node:fs/promises'
import { expect, it, vi } from 'vitest'
import { marked, optionsTable } from '../../scripts/serve-options.ts'
import { programFor } from '../../src/cli/program.ts'
import { findCommand, misspelledVariables } from '../../src/cli/terminal/usage.ts'
import { outcome, run } from '../support/command-line.ts'

const program = 'subscription-sandbox'

function refusedServe(...args: readonly string[]) {
  return outcome(run(['serve', '--port', '0', ...args]))
}

it.each([
  [['serv'], "Unknown command 'serv' (Did you mean serve?)", program],
  [['advance', 'P1M'], "Unknown command 'advance' (Did you mean clock advance?)", program],
  [
    ['forecast'],
    "Unknown command 'forecast' (Did you mean subscriptions forecast or customers forecast?)",
    program,
  ],
  [['list'], "Unknown command 'list'.", program],
  [
    ['clock', 'advance', '--by', 'P1M'],
    `Unknown option '--by': it is an argument. Write ${program} clock advance <by>.`,
    'subscription-sandbox clock advance',
  ],
  [
    ['subscriptions', 'apply-coupon', 'sub_000001', '--coupon-id', 'SAVE20'],
    `Unknown option '--coupon-id': it is an argument. Write ${program} subscriptions apply-coupon <id> <coupon>.`,
    'subscription-sandbox subscriptions apply-coupon',
  ],
  [
    ['invoices', 'pay', '--invoice-id=inv_000001'],
    `Unknown option '--invoice-id': it is an argument. Write ${program} invoices pay <id>.`,
    'subscription-sandbox invoices pay',
  ],
  [
    ['serve', '--prot', '1'],
    "Unknown option '--prot' (Did you mean --port?)",
    'subscription-sandbox serve',
  ],
  [
    ['serve', '--token=hunter2'],
    "Unknown option '--token' (Did you mean --control-token?)",
    'subscription-sandbox serve',
  ],
  [
    ['clock', '--token', 'x'],
    "Unknown option '--token' (Did you mean --control-token?)",
    'subscription-sandbox clock show',
  ],
  [
    ['verify', 'a.json', '--token', 'x'],
    "Unknown option '--token' (Did you mean --broker-token or --control-token?)",
    'subscription-sandbox verify',
  ],
  [
    ['serve', '--clock', '2027-01-01'],
    "Unknown option '--clock' (Did you mean --clock-start?)",
    'subscription-sandbox serve',
  ],
  [
    ['coupons', 'create', '--coupon-id', 'A'],
    "Unknown option '--coupon-id' (Did you mean --id?)",
    'subscription-sandbox coupons create',
  ],
  [['serve', '--pass=hunter2'], "Unknown option '--pass'.", 'subscription-sandbox serve'],
  [
    ['--sandbox', 'mine', 'clock'],
    "Unknown option '--sandbox': options come after the command.",
    program,
  ],
  [['--verison'], "Unknown option '--verison' (Did you mean --version?)", program],
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

it('has every option of serve in docs/serving.md, as npm run serving writes it', async () => {
  const table = await optionsTable()
  expect(table.match(/^\| `--/gm)?.length).toBeGreaterThan(15)
  expect(table).toContain('| `--port <number>` | `SANDBOX_PORT`, `PORT` | `4010` | ')
  expect(marked.exec(await readFile('docs/serving.md', 'utf8'))?.[0]).toBe(table)
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

it.each([
  ['payments script', '--outcomes', ['succeed', 'card_declined', 'no_payment_method']],
  ['payments script', '--always', ['succeed', 'expired_card']],
  ['events list', '--type', ['subscription.renewed', 'invoice.created', 'sandbox.reset']],
  ['recording', '--format', ['json', 'curl', 'vitest', 'pytest']],
  ['clock set', '--mode', ['frozen', 'running']],
  ['coupons create', '--duration', ['once', 'repeating', 'forever']],
] as const)('lists the words that an option takes: %s %s', async (words, long, expected) => {
  const program = await programFor([], true)
  const help = program.createHelp()
  const option = help
    .visibleOptions(findCommand(program, words.split(' ')))
    .find((each) => each.long === long)
  const said = option === undefined ? '' : help.optionDescription(option)
  for (const word of expected) expect(said).toContain(`"${word}"`)
})

it.each([
  [['serve'], '[options]'],
  [['clock', 'advance'], '[options] [by]'],
])('prints help where it is asked for, in both ways: %j', async (words, usage) => {
  const [asked, helped] = [run([...words, '--help']), run(['help', ...words])]
  expect(await asked.ended).toBe(0)
  expect(asked.output().split('\n')[0]).toBe(
    `Usage: subscription-sandbox ${words.join(' ')} ${usage}`,
  )
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
  [
    'SANDBOX_CLOCK_START',
    'soon',
    'an instant from 1970 to before the year 9000 such as 2027-01-31',
  ],
  ['SANDBOX_DEVIATION', 'late', 'the name of a cell of exec --matrix; got "late"'],
  ['SANDBOX_ALLOW_ORIGIN', 'http://a.test,b', 'an origin such as http://localhost:3000'],
  ['SANDBOX_EXPIRE', 'PT1S', 'an ISO 8601 duration of at least a minute'],
  ['SANDBOX_RUNNING', 'maybe', 'true, yes, on or 1, or false, no, off or 0; got "maybe"'],
])('names the variable whose value is wrong: %s', async (name, value, rule) => {
  const refused = await outcome(run(['serve', '--data', 'memory'], { [name]: value }))
  expect(refused.code).toBe(2)
  expect(refused.err).toContain(`${name} must be ${rule}`)
})

it.each([
  ['serve', 'SANDBOX_FIXTURE=nosuch', 'SANDBOX_FIXTURE "nosuch" does not exist; fixtures: '],
  ['serve', 'SANDBOX_FIXTURE=/dev/null', 'SANDBOX_FIXTURE /dev/null must be a regular file or a'],
  ['serve', 'SANDBOX_SETTINGS=none.yaml', 'SANDBOX_SETTINGS none.yaml: there is no such file.'],
  [
    'exec true',
    'SANDBOX_FIXTURE=./none',
    'SANDBOX_FIXTURE ./none: there is no such file or folder',
  ],
  ['mcp', 'SANDBOX_FIXTURE=./none', 'SANDBOX_FIXTURE ./none: there is no such file or folder'],
  ['shrink package.json', 'SANDBOX_FIXTURE=nosuch', 'SANDBOX_FIXTURE "nosuch" does not exist'],
  [
    'learn a.har',
    'SANDBOX_SETTINGS=none.yaml',
    'SANDBOX_SETTINGS none.yaml: there is no such file.',
  ],
  ['doctor', 'SANDBOX_DATA=package.json', 'SANDBOX_DATA "package.json" is not a folder'],
  [
    'serve',
    'SANDBOX_HOST=no-such-machine.invalid',
    'SANDBOX_HOST must be an address of this machine',
  ],
])('names the variable that gave what cannot be used: %s, %s', async (line, variable, words) => {
  const [name = '', value = ''] = variable.split('=')
  const refused = await outcome(run(line.split(' '), { SANDBOX_DATA: 'memory', [name]: value }))
  expect(refused.err.slice(0, words.length)).toBe(words)
  expect(refused.code).toBeGreaterThan(1)
})

it.each([
  [['exec', 'true'], 'SANDBOX_SETINGS', 'SANDBOX_SETTINGS'],
  [['clock', '--url', 'http://127.0.0.1:1'], 'SANDBOX_ULR', 'SANDBOX_URL'],
  [['clock', '--url', 'http://127.0.0.1:1'], 'SANDBOX_CONTROL_TOKN', 'SANDBOX_CONTROL_TOKEN'],
])('names a variable that is misspelled, and goes on: %j', async (args, name, meant) => {
  // processes/log.test.ts has `serve`, which says it in its log.
  const { err } = await outcome(run(args, { [name]: 'x' }))
  const warning = `${name} is not read; did you mean ${meant}?`
  expect(err.split(warning)).toHaveLength(2)
  expect(err).toMatch(/^Warning: SANDBOX_/)
})

it('takes no variable that it has for a misspelled one, nor one that may be of another program', async () => {
  const all = await programFor([], true)
  const commands = all.commands.flatMap((each) => [each, ...each.commands])
  const options = commands.flatMap((each) => each.options)
  const known = [...new Set(options.flatMap(({ envVar }) => envVar ?? []))]
  expect(known.length).toBeGreaterThan(15)
  const others = ['SANDBOX_API_KEY', 'SANDBOX_CONTROL_TOKEN', 'SANDBOX_KEY', 'SANDBOX_DIR']
  for (const name of [...known, ...others]) vi.stubEnv(name, 'x')
  const taken = commands.flatMap(misspelledVariables)
  vi.unstubAllEnvs()
  expect(taken).toEqual([])
})

it.each([
  ['--data', '', 'a folder, or memory; got ""'],
  ['--host', '', 'a host name or an IP address, without a port; got ""'],
  ['--host', '999.1.1.1', 'a host name or an IP address, without a port; got "999.1.1.1"'],
  ['--allow-host', 'a b', 'a host name or an IP address, without a port; got "a b"'],
  ['--allow-host', 'a.test,b.test:80', 'a host name or an IP address, without a port; got "b.test'],
  ['--allow-webhook-host', 'a b', 'a host name or an IP address, without a port; got "a b"'],
])('names the option whose value is wrong: %s %j', async (option, value, rule) => {
  const refused = await refusedServe('--data', 'memory', option, value)
  expect(refused.code).toBe(2)
  expect(refused.err).toContain(`${option} must be ${rule}`)
})

it('says where it cannot listen', async () => {
  const refused = await refusedServe('--data', 'memory', '--host', 'no-such-machine.invalid')
  expect(refused.code).toBe(3)
  expect(refused.err).toBe(
    '--host must be an address of this machine, such as 127.0.0.1, or 0.0.0.0 for all of them; got "no-such-machine.invalid".\n',
  )
})

it('refuses a folder that cannot be made', async () => {
  const refused = await refusedServe('--data', '/proc/nope/data')
  expect(refused.code).toBe(3)
  expect(refused.err).toBe('/proc/nope/data cannot be made: no such file or directory\n')
  const file = await refusedServe('--data', 'package.json')
  expect(file.code).toBe(3)
  expect(file.err).toBe(
    'package.json cannot be made: a file has that name; choose another folder\n',
  )
})

it.each([
  [['exec'], 2, "Missing required argument 'command'.\nSee: subscription-sandbox exec --help\n"],
  [['exec', '--fixture', 'nosuch', 'true'], 2, 'fixture "nosuch" does not exist'],
  [['exec', '--settings', '', 'true'], 2, '--settings "": there is no such file, and the presets'],
  [['exec', '--deviation=', 'true'], 2, 'must be the name of a cell of exec --matrix; got ""'],
  [['exec', '--clock-start', 'soon', 'true'], 2, '--clock-start must be an instant'],
  [
    ['exec', '--coverage', '--min', 'moves=50', 'true'],
    2,
    '--min must be a measure and a percentage',
  ],
  [
    ['exec', '--coverage', '--min', 'media=101', 'true'],
    2,
    '--min must be a measure and a percentage',
  ],
  [['exec', '--min', 'media=50', 'true'], 2, '--min is for the coverage; add --coverage.'],
  [['exec', '--coverage', '--matrix', 'true'], 2, 'exec takes --matrix or --coverage, not both.'],
  [['exec', 'no-such-program'], 3, 'no-such-program cannot be run: there is no such program.'],
  [['exec', '--', '--matrix', 'true'], 3, '--matrix cannot be run: options come before --.'],
  [['exec', './package.json'], 3, './package.json cannot be run: permission denied.'],
  [['exec', './package.json/x'], 3, './package.json/x cannot be run: not a directory.'],
  [['exec', ''], 2, '<command> must begin with a program; got "".'],
  [['exec', '--matrix', '--', ''], 2, '<command> must begin with a program; got "".'],
])('exec says what is wrong, and runs nothing: %j', async (args, code, words) => {
  const refused = run(args)
  expect(await refused.ended).toBe(code)
  expect(refused.errors()).toContain(words)
  expect(refused.errors()).not.toMatch(/\n\s+at /)
})
