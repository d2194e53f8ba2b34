/** Puts the report together: what is said of each file, and what the whole comes to. */
import type { Operations } from '../operations.ts'
import type { ForeignInteraction, PactFile, PactInteraction, PactProblem } from '../pact-file.ts'
import { curlOf } from '../pact-request.ts'
import type { Verified } from '../verify.ts'
import type { Finding, InteractionReport, PactReport, Report } from './report.ts'

/** What is known of the interactions of one file, each list in the order of the file. */
export interface Known {
  readonly operations: Operations
  readonly findings: readonly (readonly Finding[])[]
  /** Null where nothing was sent. */
  readonly verified: readonly Verified[] | null
  /** Where the requests are sent that are shown as curl; null where there is no such place. */
  readonly base: string | null
}

/** What is said of a file that can be read. */
export function pactReport(pact: PactFile, known: Known): PactReport {
  const { source, consumer, provider, version, foreign } = pact
  const http = pact.interactions.map((each, position) => interactionReport(each, position, known))
  const interactions = [...http, ...foreign.map(foreignReport)]
  interactions.sort((one, other) => one.line - other.line)
  const hasFailed = interactions.some(({ result }) => result === 'failed')
  const result = hasFailed ? 'failed' : 'passed'
  return {
    source,
    consumer,
    provider,
    version,
    result: interactions.length === 0 ? 'empty' : result,
    problems: [],
    interactions,
  }
}

/** What is said of a file that cannot be read. */
export function unreadableReport(source: string, problems: readonly PactProblem[]): PactReport {
  return {
    source,
    consumer: null,
    provider: null,
    version: null,
    result: 'unreadable',
    problems: problems.map(({ field: _, ...problem }) => problem),
    interactions: [],
  }
}

/** The report of a run. */
export function reportOf(
  run: Pick<Report, 'command' | 'provider' | 'base' | 'notes' | 'pacts' | 'differences'>,
): Report {
  const interactions = run.pacts.flatMap((pact) => pact.interactions)
  const count = (wanted: InteractionReport['result']) => {
    return interactions.filter(({ result }) => result === wanted).length
  }
  const results = { passed: count('passed'), failed: count('failed'), pending: count('pending') }
  const totals = { pacts: run.pacts.length, interactions: interactions.length, ...results }
  const { command, ...rest } = run
  return { format: 1, command, result: resultOf(run), totals, ...rest }
}

function resultOf({ pacts, differences }: Pick<Report, 'pacts' | 'differences'>): Report['result'] {
  const results = pacts.map(({ result }) => result)
  if (results.includes('failed') || results.includes('unreadable')) return 'broken'
  if (differences !== null && differences.length > 0) return 'broken'
  return results.length === 0 || results.includes('empty') ? 'empty' : 'passed'
}

function interactionReport(
  interaction: PactInteraction,
  position: number,
  { operations, findings, verified, base }: Known,
): InteractionReport {
  const { description, line, request, states } = interaction
  const found = findings[position] ?? []
  const live = verified?.[position]
  const isContradicted = found.some(({ severity }) => severity === 'error')
  const result = isContradicted ? 'failed' : (live?.result ?? 'passed')
  return {
    description,
    line,
    result: result === 'failed' && interaction.isPending ? 'pending' : result,
    duration_ms: live?.durationMs ?? null,
    operation: operations.find(request.method, request.path),
    curl: base === null ? null : curlOf(request, base),
    states: [...(live?.states ?? states.map((state) => ({ ...state, answers: [] })))],
    findings: [...found],
    mismatches: [...(live?.mismatches ?? [])],
  }
}

function foreignReport({ description, type, path, line }: ForeignInteraction): InteractionReport {
  const [list, index] = path
  const finding: Finding = {
    severity: 'error',
    code: 'not-http',
    message: `The type must be "Synchronous/HTTP" to be verified here; got "${type}".`,
    path: `$.${list}[${index}]`,
    line,
  }
  const unsent = { duration_ms: null, operation: null, curl: null, states: [], mismatches: [] }
  return { description, line, result: 'failed', findings: [finding], ...unsent }
}
