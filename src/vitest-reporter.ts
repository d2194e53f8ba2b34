/**
 * Coverage of a run of vitest: one server for the tests of all workers, which find it in SANDBOX_URL, and at the end a
 * report of how much of /v1 they saw. For `vitest.config`, where `subscription-sandbox/vitest` cannot be imported.
 */
import type { Reporter, Vitest } from 'vitest/node'
import * as z from 'zod'
import { coverageTables } from './http/control/coverage-text.ts'
import type { Sandbox, Schemas } from './index.ts'
import { validate } from './surface/field-errors.ts'
import { startOrConnect } from './test-server.ts'
import { measureNames, type WireCoverage } from './wire/sandbox/coverage.ts'

type Measure = Schemas['Coverage']['how'][number]['measure']

export interface SandboxCoverageOptions {
  /** The least percentage of each measure; below one of them the run fails. */
  readonly min?: { readonly [Name in Measure]?: number }
  /** Whether the report has commands that show what was not seen. */
  readonly how?: boolean
}

/** Read with the configuration, and not after all tests. */
const Percent = z.int().min(0).max(100).optional()
const Options = z.strictObject({
  min: z.strictObject(Object.fromEntries(measureNames.map((name) => [name, Percent]))).optional(),
  how: z.boolean().optional(),
})

/**
 * A reporter that prints at the end of a run how much of /v1 its tests saw, in all their sandboxes.
 * @example
 * export default { test: { reporters: ['default', sandboxCoverage({ min: { transitions: 50 } })] } }
 */
export function sandboxCoverage(options: SandboxCoverageOptions = {}): Reporter {
  const { min = {}, how = false } = validate(Options, options) as SandboxCoverageOptions
  let run: { readonly vitest: Vitest; readonly server: Sandbox } | null = null
  const least = Object.entries(min).map(([measure, percent]) => [`min_${measure}`, percent])
  return {
    onInit: async (vitest) => {
      const server = await startOrConnect()
      run = { vitest, server }
      Object.assign(process.env, { SANDBOX_URL: server.url, SANDBOX_API_KEY: server.apiKey })
      vitest.onClose(() => server.close())
    },
    onTestRunEnd: async () => {
      if (run === null) return
      const report = await run.server.coverage({
        ...{ sandboxes: 'all', how: how ? 'true' : 'false' },
        ...Object.fromEntries(least),
      })
      run.vitest.logger.log(coverageTables(report as WireCoverage, process.stdout.columns))
      if (!report.ok) process.exitCode = 1
    },
  }
}
