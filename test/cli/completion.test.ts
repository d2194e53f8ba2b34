/** Completion, by its answers; processes/completion.test.ts has the shells. */
import { Command, Option } from 'commander'
import { expect, it } from 'vitest'
import { completionsFor } from '../../src/cli/operations/completion.ts'
import { programFor } from '../../src/cli/program.ts'
import { billingOperations } from '../../src/operations/billing-operations.ts'

async function completed(line: string): Promise<string[]> {
  const found = completionsFor(await programFor([], true), line.split(' '))
  return found.map(([word]) => word)
}

it.each([
  ['what-if up', ['updateSubscription']],
  ['what-if updateSubscription plan=pro can', ['cancelSubscription']],
  ['clock set --mode ', ['frozen', 'running']],
  ['recording --format ', ['json', 'curl', 'vitest', 'pytest']],
  [
    'events list --type subscription.r',
    ['subscription.renewed', 'subscription.resumed', 'subscription.recovered'],
  ],
  ['subscriptions list --status p', ['past_due', 'paused']],
  ['subscriptions list --output ', ['table', 'json', 'csv', 'ndjson']],
  ['subscriptions list -o n', ['ndjson']],
  ['state export -o ', ['json']],
  ['serve --durability ', ['commit', 'batch']],
  ['serve --lock k', ['kernel']],
  ['completion z', ['zsh']],
  ['coverage show --min-op', ['--min-operations']],
])('completes %j with the words that are declared', async (line, words) => {
  expect((await completed(line)).sort()).toEqual([...words].sort())
})

it('offers every operation that changes what is billed to a what-if', async () => {
  expect(await completed('what-if ')).toEqual(Object.keys(billingOperations))
})

it('says what each option takes, also one that nothing describes', async () => {
  const bare = new Command('bare')
    .addOption(new Option('--words <text>').choices(['one', 'two']))
    .addOption(new Option('-n, --number <number>'))
    .addOption(new Option('--switch'))
  const program = new Command('program').addCommand(bare)
  expect(completionsFor(program, ['bare', '--'])).toEqual([
    ['--words', 'one of one, two'],
    ['--number', '<number>'],
    ['--switch', ''],
    ['--help', 'display help for command'],
  ])
  const all = await programFor([], true)
  for (const command of all.commands.flatMap((each) => [each, ...each.commands])) {
    const words = [command.parent === all ? [] : (command.parent?.name() ?? []), command.name()]
    for (const [option, text] of completionsFor(all, [...words.flat(), '--'])) {
      expect(text, `${command.name()} ${option}`).toMatch(/[^ ]$/)
      expect(text).not.toMatch(/^one of ?$/)
    }
  }
})
