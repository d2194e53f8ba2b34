/** The tool that calls no operation: it runs a scenario of the user, by what who starts the server hands in. */
import type { CallToolResult, Tool } from '@modelcontextprotocol/sdk/types.js'
import { errorResult, lengthProblem, textResult } from './answer.ts'
import { type Args, fileProblems } from './call.ts'

/** Runs the scenario in a file: its text, or what is wrong, a line each. */
export type RunScenario = (
  file: string,
) => Promise<{ readonly text: string } | { readonly problems: readonly string[] }>

export const scenarioTool = {
  name: 'run_scenario',
  description:
    'Run a scenario, a YAML file that you write: `fixture`, such as starter; `steps`, each with `at` (a date, or P3M after the start) and an operation, such as `updateSubscription: { subscription_id: sub_000001, plan: pro }`; and `before`, the end. Prints its invoices month by month and its timeline.',
  inputSchema: {
    type: 'object',
    properties: {
      file: { type: 'string', description: 'The path of the scenario on this machine.' },
    },
    required: ['file'],
  },
  annotations: { readOnlyHint: true, openWorldHint: false },
} as const satisfies Tool

const WHEN_LONG =
  'End it earlier, by before, or write it to a file: npx --no subscription-sandbox scenario run SCENARIO > FILE.'

export async function callScenarioTool(args: Args, run: RunScenario): Promise<CallToolResult> {
  const wrong = fileProblems(scenarioTool.inputSchema.required, args)
  const result = wrong.length > 0 ? { problems: wrong } : await run(String(args['file']))
  if ('problems' in result) return errorResult(result.problems.join('\n'))
  const refusedAsLong = lengthProblem(result.text, WHEN_LONG)
  return refusedAsLong === null ? textResult([result.text]) : errorResult(refusedAsLong)
}
