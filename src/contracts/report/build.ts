/** Builds the report: one part for each file, and the result of the run. */
import { maskHeader, maskText } from '../../masking/mask.ts'
import {
  cutText,
  type Finding,
  type InteractionReport,
  type Mismatch,
  type PactReport,
  type Report,
} from '../common/report-shape.ts'
import { unknownValues } from '../comparison/generators.ts'
import type { Operations } from '../comparison/operations.ts'
import {
  type ForeignInteraction,
  type PactFile,
  type PactInteraction,
  type PactProblem,
  problemsOfFile,
} from '../pacts/pact-file.ts'
import { curlOf } from '../pacts/pact-request.ts'
import { headerIn, type ProviderAnswer } from '../replay/exchange-recorder.ts'
import type { Verified } from '../replay/verify.ts'
import { hintsFor } from './hints.ts'
import { type Reproduction, scriptFor } from './script.ts'

/** The data about the interactions of one file, each list in the order of the file. */
export interface FileResults {
  readonly operations: Operations
  readonly findings: readonly (readonly Finding[])[]
  /** Null if nothing was sent. */
  readonly verified: readonly Verified[] | null
  /** The address in curl commands; null for no such commands. */
  readonly base: string | null
  /** How a failure is reproduced; absent if nothing was sent. */
  readonly reproduction?: Reproduction
  /** The header of an answer that lists the assumptions it rests on. */
  readonly assumptionsHeader?: string
  /** Whether no answer may rest on assumptions. */
  readonly strictDocumented?: boolean | undefined
}

/** The report of a file that can be read. */
export function pactReport(pact: PactFile, known: FileResults): PactReport {
  const http = pact.interactions.map((each, position) => {
    const { values = {}, exchanges = [] } = known.verified?.[position] ?? {}
    const unknown = exchanges.length === 0 ? [] : unknownValues(pact, each, values)
    const report = interactionReport(each, position, known)
    return { ...report, findings: [...report.findings, ...unknown] }
  })
  const interactions = [...http, ...pact.foreign.map(foreignReport)]
  interactions.sort((one, other) => one.line - other.line)
  const hasFailed = interactions.some(({ result }) => result === 'failed')
  const result = hasFailed ? 'failed' : 'passed'
  return {
    ...headOf(pact),
    result: interactions.length === 0 ? 'empty' : result,
    warnings: pact.warnings.map(problemReport),
    interactions,
  }
}

/** The report of a file that was not selected, and why. */
export function skippedReport(pact: PactFile, message: string): PactReport {
  return { ...headOf(pact), result: 'skipped', problems: problemsOfFile(message) }
}

function headOf({ source, consumer, provider, version }: PactFile) {
  return { source, consumer, provider, version, problems: [], warnings: [], interactions: [] }
}

function problemReport({ field: _, ...problem }: PactProblem) {
  return problem
}

/** The report of a file that could not be verified or compared, with the reasons. */
export function unreadableReport(
  source: string,
  said: readonly PactProblem[] | string,
  result: 'unreadable' | 'unverified' = 'unreadable',
): PactReport {
  const unknown = { consumer: null, provider: null, version: null }
  const problems = (typeof said === 'string' ? problemsOfFile(said) : said).map(problemReport)
  return { source, ...unknown, result, problems, warnings: [], interactions: [] }
}

/** The report of a run. */
export function reportOf(
  run: Omit<Report, 'format' | 'result' | 'totals' | 'assumptions'>,
): Report {
  const interactions = run.pacts.flatMap((pact) => pact.interactions)
  const count = (wanted: InteractionReport['result']) => {
    return interactions.filter(({ result }) => result === wanted).length
  }
  const results = { passed: count('passed'), failed: count('failed'), pending: count('pending') }
  const totals = { pacts: run.pacts.length, interactions: interactions.length, ...results }
  const { command, ...rest } = run
  const pacts = run.pacts.map(withShortAnswers)
  const assumptions = sumOf(interactions)
  return { format: 1, command, result: resultOf(run), totals, ...rest, pacts, assumptions }
}

/** Not before: `--diff` compares whole answers. */
function withShortAnswers(pact: PactReport): PactReport {
  const interactions = pact.interactions.map((each) => {
    const { answer } = each
    return { ...each, answer: answer && { ...answer, body: cutText(answer.body) } }
  })
  return { ...pact, interactions }
}

function resultOf({ pacts, differences }: Pick<Report, 'pacts' | 'differences'>): Report['result'] {
  const results = pacts.map(({ result }) => result)
  if (results.includes('failed') || results.includes('unreadable')) return 'broken'
  if (differences !== null && differences.length > 0) return 'broken'
  if (results.includes('unverified')) return 'unverified'
  const hasNothing = results.every((result) => result === 'skipped')
  return hasNothing || results.includes('empty') ? 'empty' : 'passed'
}

/** How many answers rest on each assumption, most first. */
function sumOf(interactions: readonly InteractionReport[]): Report['assumptions'] {
  const counts = new Map<string, number>()
  for (const slug of interactions.flatMap((each) => each.assumptions)) {
    counts.set(slug, (counts.get(slug) ?? 0) + 1)
  }
  return [...counts]
    .map(([slug, count]) => ({ slug, interactions: count }))
    .sort((one, other) => {
      return other.interactions - one.interactions || one.slug.localeCompare(other.slug, 'en')
    })
}

function interactionReport(
  interaction: PactInteraction,
  position: number,
  known: FileResults,
): InteractionReport {
  const { operations, verified, base, reproduction } = known
  const { description, line, request, states } = interaction
  const live = verified?.[position]
  const sent: Partial<Verified> = live ?? {}
  const { durationMs = null, mismatches = [], result: verdict = 'passed' } = sent
  const answer = sent.exchanges?.at(-1)?.answer ?? null
  const assumptions = assumptionsIn(answer, known.assumptionsHeader)
  const findings = judgeFindings(known.findings[position] ?? [], live)
  if (known.strictDocumented && assumptions.length > 0) {
    const message = `The answer rests on ${assumptions.join(', ')}, and only what is documented is wanted.`
    const path = `$.interactions[${interaction.index}]`
    const place = { path, line, rests_on: assumptions }
    findings.push({ severity: 'error', code: 'never.assumed', message, ...place })
  }
  const isContradicted = findings.some(({ severity }) => severity === 'error')
  const result = isContradicted ? 'failed' : verdict
  const failed = result === 'passed' ? undefined : live
  return {
    description,
    line,
    result: result === 'failed' && interaction.isPending ? 'pending' : result,
    duration_ms: durationMs,
    operation: operations.find(request.method, request.path),
    curl: base === null ? null : curlOf(request, base),
    states: [...(sent.states ?? states.map((state) => ({ ...state, answers: [] })))],
    script: failed && reproduction ? scriptFor(interaction, failed, reproduction) : null,
    hints: failed ? hintsFor(interaction, failed) : [],
    answer: answer === null ? null : answerReport(answer),
    assumptions,
    findings,
    mismatches: [...mismatches],
  }
}

/** An answer without its tokens. */
function answerReport({ status, headers, body }: ProviderAnswer): InteractionReport['answer'] {
  const shown = headers.map(([name, value]): [string, string] => [name, maskHeader(name, value)])
  return { status, headers: shown, body: maskText(body) }
}

/** The core decides: if it passed the interaction, findings are warnings. */
function judgeFindings(findings: readonly Finding[], live: Verified | undefined): Finding[] {
  if (live === undefined) return [...findings]
  return findings.map((finding) => {
    const isConfirmed = live.result !== 'passed' && isSeen(finding, live.mismatches)
    return isConfirmed || finding.code.startsWith(ALWAYS)
      ? finding
      : { ...finding, severity: 'warning' }
  })
}

/** Findings of these codes are errors even if the core passed the interaction. */
const ALWAYS = 'never.'

/** Whether a mismatch is about the same part as a finding. Findings about requests always count. */
function isSeen({ code }: Finding, mismatches: readonly Mismatch[]): boolean {
  const [side, part] = code.split('.')
  if (side !== 'response') return true
  const kinds = part === 'status' || part === 'body' ? [part] : ['header']
  return mismatches.some(({ kind }) => kinds.includes(kind))
}

function assumptionsIn(answer: ProviderAnswer | null, header = ''): string[] {
  const slugs = headerIn(answer?.headers ?? [], header) ?? ''
  return slugs.split(/, */).filter((slug) => slug !== '')
}

function foreignReport(foreign: ForeignInteraction): InteractionReport {
  const { description, type, path, line, isPending } = foreign
  const result = isPending ? 'pending' : 'failed'
  const [list, index] = path
  const finding: Finding = {
    severity: 'error',
    code: 'not-http',
    message: `The type must be "Synchronous/HTTP" to be verified here; got "${type}". Give messages a pact with another provider.`,
    path: `$.${list}[${index}]`,
    line,
    rests_on: [],
  }
  const unsent = { duration_ms: null, operation: null, curl: null, script: null, states: [] }
  const empty = { answer: null, hints: [], assumptions: [], mismatches: [] }
  return { description, line, result, findings: [finding], ...unsent, ...empty }
}
