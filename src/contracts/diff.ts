/** Where two providers disagree on the same pacts: where the sandbox lies. */
import type { Difference, InteractionReport, Mismatch, PactReport } from './report/report.ts'

/** The interactions that one provider passes and the other fails, or that they fail differently. */
export function differencesBetween(
  sandbox: readonly PactReport[],
  base: readonly PactReport[],
): Difference[] {
  return sandbox.flatMap((pact, position) => {
    return pact.interactions.flatMap((interaction, index) => {
      const other = base[position]?.interactions[index]
      if (other === undefined || signature(interaction) === signature(other)) return []
      const { description, line, operation } = interaction
      return {
        source: pact.source,
        description,
        line,
        operation,
        curl: other.curl,
        sandbox: sideOf(interaction),
        base: sideOf(other),
      }
    })
  })
}

function sideOf({ mismatches }: InteractionReport): Difference['sandbox'] {
  return { result: mismatches.length === 0 ? 'passed' : 'failed', mismatches }
}

/** What a provider answered otherwise than expected, but for the instants and identifiers that differ anyhow. */
function signature({ mismatches }: InteractionReport): string {
  const signs = mismatches.map(({ kind, at, got, message }: Mismatch) => {
    return `${kind} ${at} ${kind === 'setup' || kind === 'request' ? message : steady(got)}`
  })
  return [...new Set(signs)].sort().join('\n')
}

function steady(got: string): string {
  return got
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)/g, 'an instant')
    .replace(/\b(sub|inv|cus|at|rt)_\w+/g, 'an identifier')
}
