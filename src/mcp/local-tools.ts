/** The tools that call no operation: they read a file of the user. What they do is handed in by who starts the server. */

/** The answer, or what is wrong, a line each. */
export type LocalResult = { readonly text: string } | { readonly problems: readonly string[] }

export interface LocalTool {
  readonly description: string
  /** What to do where its answer is too long. */
  readonly whenLong: string
  /** The fields, each a text. */
  readonly takes: Readonly<Record<string, string>>
}

export const localTools = {
  run_scenario: {
    description:
      'Run a scenario, a YAML file that you write: `fixture`, such as starter; `steps`, each with `at` (a date, or P3M after the start) and an operation, such as `updateSubscription: { subscription_id: sub_000001, plan: pro }`; and `before`, the end. Prints its invoices month by month and its timeline.',
    whenLong:
      'End it earlier, by before, or write it to a file: npx --no subscription-sandbox scenario run SCENARIO > FILE.',
    takes: { file: 'The path of the scenario on this machine.' },
  },
} as const satisfies Readonly<Record<string, LocalTool>>

export type LocalRunners = {
  readonly [Name in keyof typeof localTools]: (
    fields: Readonly<Record<keyof (typeof localTools)[Name]['takes'], string>>,
  ) => Promise<LocalResult>
}
