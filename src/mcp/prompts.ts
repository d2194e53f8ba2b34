/** The prompts for coding agents: short instructions, from a task to a test that is committed. */
import { ErrorCode, type GetPromptResult, McpError } from '@modelcontextprotocol/sdk/types.js'
import { printValue, shorten } from '../surface/refusals.ts'

interface PromptArgument {
  readonly name: string
  readonly description: string
  /** What it is if it is left out; without it the argument is required. */
  readonly initially?: string
  readonly choices?: readonly string[]
}

interface Prompt {
  readonly description: string
  readonly arguments: readonly PromptArgument[]
  readonly text: (values: Readonly<Record<string, string>>) => string
}

const runner: PromptArgument = {
  name: 'runner',
  description: 'The test runner: vitest (the default) or pytest.',
  initially: 'vitest',
  choices: ['vitest', 'pytest'],
}

const fixture: PromptArgument = {
  name: 'fixture',
  description:
    'The fixture to begin with: starter (the default), empty, dunning or calendar-hazards.',
  initially: 'starter',
}

const prompts: Readonly<Record<string, Prompt>> = {
  reproduce_bug: {
    description:
      'Reproduce a billing bug in the sandbox, and commit a test that fails because of it.',
    arguments: [
      {
        name: 'bug',
        description:
          'What happens, and what was expected, with amounts and dates if they are known.',
      },
      fixture,
      runner,
    ],
    text: ({
      bug = '',
      fixture: from,
      runner: by = '',
    }) => `Reproduce this bug in the billing sandbox:

${bug}

1. Call reset_sandbox with fixture "${from}". Call describe_sandbox: it answers url and api_key for the code under test.
2. Create what the bug needs: create_record, payments with action script for failing payments, and a fault for a failing service. Have the code under test make its own calls to url/v1.
3. Before the step that goes wrong, call checkpoint with action create. Repeat the step after checkpoint with action restore.
4. Move time with advance_clock. It never moves by itself.
5. Find the first difference from what was expected: list_records with kind requests (what the code sent) and events (what happened), explain_invoice for an amount. If an answer depends on an assumption (the header Sandbox-Assumptions), the interface does not promise it: say so.
${testSteps(by, 6)}`,
  },
  write_test: {
    description: 'Write a test of billing behaviour with virtual time, and commit it.',
    arguments: [
      {
        name: 'behaviour',
        description: 'What the code under test must do, such as: a trial of 14 days becomes paid.',
      },
      fixture,
      runner,
    ],
    text: ({
      behaviour = '',
      fixture: from,
      runner: by = '',
    }) => `Write a test of this behaviour with the billing sandbox:

${behaviour}

1. Call reset_sandbox with fixture "${from}". Call describe_sandbox: it answers url and api_key for the code under test.
2. Play the behaviour once with the tools: create_record, create_subscription, change_subscription, payments, advance_clock. Look ahead with agenda and forecast_subscription.
3. Check each amount with explain_invoice, and everything with audit. These are the values that the test expects.
${testSteps(by, 4)}`,
  },
}

const fixtures: Readonly<Record<string, string>> = {
  vitest:
    "import { test } from 'subscription-sandbox/vitest'; test('...', async ({ sandbox }) => { ... }) gets its own sandbox: sandbox.url, sandbox.apiKey, sandbox.clock.advance('P14D'), sandbox.invoices.list()",
  pytest:
    'def test_...(sandbox): ... gets its own sandbox: sandbox.url, sandbox.api_key, sandbox.clock.advance("P14D"), sandbox.invoices.list()',
}

const commands: Readonly<Record<string, string>> = {
  vitest: 'npx vitest run FILE',
  pytest: 'pytest FILE',
}

/** From calls that were played once to a test in the project. */
function testSteps(by: string, first: number): string {
  const steps = [
    `Call recording with format "${by}". It is a test file with every call so far, in order, and its answer: take the setup, the moves of the clock and the expected values from it.`,
    `Write the test with the fixture of the library: ${fixtures[by]}. Let the code under test make the calls to /v1 itself. Assert statuses and amounts (integers of minor units: 2500 is 25.00 USD).`,
    `Run it: npx --no subscription-sandbox exec -- ${commands[by]}. See it fail for the right reason (a bug that is not fixed, or an expected amount that you change for one run), then pass.`,
    'Commit the test alone, with a message that says which behaviour it checks.',
  ]
  return steps.map((step, at) => `${first + at}. ${step}`).join('\n')
}

export const listedPrompts = Object.entries(prompts).map(([name, prompt]) => ({
  name,
  description: prompt.description,
  arguments: prompt.arguments.map(({ name: argument, description, initially }) => ({
    name: argument,
    description,
    required: initially === undefined,
  })),
}))

/** A prompt with its arguments filled in. Throws if the prompt or an argument is unknown, missing or invalid. */
export function fillPrompt(name: string, given: Readonly<Record<string, string>>): GetPromptResult {
  const prompt = Object.hasOwn(prompts, name) ? prompts[name] : undefined
  if (prompt === undefined) {
    throw invalidParams(
      `The prompt must be one of ${Object.keys(prompts).join(', ')}; got ${printValue(name)}`,
    )
  }
  const names = prompt.arguments.map((each) => each.name)
  const unknown = Object.keys(given).find((each) => !names.includes(each))
  if (unknown !== undefined) {
    throw invalidParams(
      `${shorten(unknown)} is not an argument of ${name}, which takes ${names.join(', ')}`,
    )
  }
  const values = Object.fromEntries(
    prompt.arguments.map((argument) => [
      argument.name,
      argumentValue(argument, given[argument.name]),
    ]),
  )
  const { description, text } = prompt
  return {
    description,
    messages: [{ role: 'user', content: { type: 'text', text: text(values) } }],
  }
}

function argumentValue(
  { name, initially, choices }: PromptArgument,
  given: string | undefined,
): string {
  const value = given?.trim() || initially
  if (value === undefined) throw invalidParams(`${name} is required and must not be empty`)
  if (choices !== undefined && !choices.includes(value)) {
    throw invalidParams(`${name} must be one of ${choices.join(', ')}; got ${printValue(value)}`)
  }
  return value
}

/** The refusal of a request of the protocol. */
export function invalidParams(message: string): McpError {
  return new McpError(ErrorCode.InvalidParams, message)
}
