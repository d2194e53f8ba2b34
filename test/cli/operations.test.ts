import { expect, it } from 'vitest'
import { commands } from '../../src/cli/commands.ts'
import { programFor } from '../../src/cli/program.ts'
import { findCommand } from '../../src/cli/terminal/usage.ts'
import { controlRoutes } from '../../src/http/control/routes.ts'
import { groups } from '../../src/operations/labels.ts'
import { operationCommands } from '../../src/operations/names.ts'
import { v1Operations } from '../../src/operations/v1.ts'

/** Operations that no command calls, and why. */
const withoutCommand: Readonly<Record<string, string>> = {
  createSubscription: 'subscriptions create checks out, which does the same and takes an offer',
  listContracts: 'the pacts are files of the package',
  retrieveContract: 'the pacts are files of the package',
  checkContract: 'check and verify read pacts where they are',
  listProviderStates: 'contracts/provider-states.json lists them',
  changeProviderState: 'a protocol that verifiers of pacts speak',
}

const operations = [...v1Operations, ...controlRoutes]

it('has a command for every operation, or a reason why not', () => {
  const called = new Set(
    operationCommands.flatMap(({ operationId, unnamed, follow }) => [operationId, unnamed, follow]),
  )
  const missing = operations.filter(({ operationId, path }) => {
    // Tools of Pact talk to the broker.
    const isExplained = operationId in withoutCommand || path.startsWith('/sandbox/broker')
    return !called.has(operationId) && !isExplained
  })
  expect(missing.map(({ operationId }) => operationId)).toEqual([])
  const known = new Set(operations.map((each) => each.operationId as string))
  expect(Object.keys(withoutCommand).filter((id) => !known.has(id) || called.has(id))).toEqual([])
})

it('lists every group of commands in the help, and no group without one', () => {
  const used = new Set(operationCommands.map(({ words }) => words.split(' ')[0]))
  expect([...used].sort()).toEqual(Object.keys(groups).sort())
  expect(new Set(commands.map(({ name }) => name)).size).toBe(commands.length)
})

it('makes every command from its declaration, with options that exist once', async () => {
  const program = await programFor([], true)
  for (const { words, example } of operationCommands) {
    const command = words
      .split(' ')
      .reduce(
        (found, word) => found.commands.find((each) => each.name() === word) ?? found,
        program,
      )
    expect(command.name(), words).toBe(words.split(' ').at(-1))
    const flags = command.options.map((option) => option.long)
    expect(flags, words).toEqual([...new Set(flags)])
    // A recording is a script in each of its formats.
    expect(flags.includes('--json'), words).toBe(words !== 'recording')
    expect(flags, words).toEqual(expect.arrayContaining(['--url', '--sandbox']))
    expect(example.startsWith(words.replace(/ (list|show)$/, '')), example).toBe(true)
  }
})

it('marks in the help which options are required, of alternatives those that all require', async () => {
  const program = await programFor([], true)
  const marked = (words: string) => {
    const help = findCommand(program, words.split(' ')).helpInformation()
    const items = help.split(/\n(?= {2}-)/).filter((item) => item.includes('(required)'))
    return items.map((item) => item.trim().split(' ')[0])
  }
  expect(marked('products create')).toEqual(['--name'])
  expect(marked('plans create')).toEqual([
    ...['--product-id', '--name', '--amount', '--currency', '--interval'],
  ])
  expect(marked('coupons create')).toEqual(['--id', '--type', '--value'])
  expect(marked('subscriptions create')).toEqual(['--customer-id', '--plan'])
  expect(marked('charges create')).toEqual(['--customer-id', '--amount', '--currency'])
  expect(marked('promotions create')).toEqual(['--code', '--coupon-id'])
  expect(marked('subscriptions update')).toEqual(['--plan'])
  expect(marked('state restore')).toEqual(['--body'])
  expect(marked('record')).toEqual(['--consumer'])
  expect(marked('move')).toEqual(['--from', '--to'])
  const none = ['plans update', 'coupons update', 'clock set', 'tokens revoke', 'faults create']
  expect(none.flatMap(marked)).toEqual([])
})
