/** What lines of a shell reach of /v1, from a fresh sandbox. */
import { measured } from '../../src/http/control/coverage-report.ts'
import { addCounts, noCounts } from '../../src/sandbox/coverage.ts'
import { start } from '../../src/server/start.ts'
import { measureNames } from '../../src/wire/sandbox/coverage.ts'
import { runLine, type Variables } from './shell-lines.ts'

/** A measure and one of what it counts: `transitions active pause paused`. */
export type Unit = string

/** Every unit of every measure. */
export const allUnits: readonly Unit[] = measureNames.flatMap((name) =>
  measured[name].all.map((unit) => `${name} ${unit}`),
)

/** The units that each line is the first one to reach. */
export async function reachedBy(lines: readonly string[]): Promise<ReadonlySet<Unit>[]> {
  const { url, registry, close } = await start({ log: () => undefined })
  const { id, apiKey } = registry.default
  const variables: Variables = { SANDBOX_URL: url, SANDBOX_ID: id, SANDBOX_API_KEY: apiKey }
  try {
    const before = new Set<Unit>()
    const steps: Set<Unit>[] = []
    for (const line of lines) {
      await runLine(line, variables)
      const sum = noCounts()
      for (const { counts } of registry.coverage().rows) addCounts(sum, counts)
      const units = measureNames.flatMap((name) =>
        [...measured[name].seenIn(sum)].map((unit) => `${name} ${unit}`),
      )
      steps.push(new Set(units.filter((unit) => allUnits.includes(unit) && !before.has(unit))))
      for (const unit of units) before.add(unit)
    }
    return steps
  } finally {
    await close()
  }
}
