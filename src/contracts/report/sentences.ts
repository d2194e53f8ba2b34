/** What every reporter for people says of one interaction, line by line. */
import type { Difference, InteractionReport, Mismatch, StateReport } from './report.ts'

/** Why an interaction failed, and how to look into it; nothing where it passed without a finding. */
export function sentencesOf(interaction: InteractionReport): string[] {
  const { findings, mismatches, operation, curl, result } = interaction
  const states = interaction.duration_ms === null ? [] : interaction.states
  const lines = [
    ...findings.map(({ severity, line, path, message }) => {
      return `${severity === 'warning' ? 'warning: ' : ''}${message} (${path}, line ${line})`
    }),
    ...mismatches.flatMap(mismatchLines),
  ]
  if (result === 'passed') return lines
  return [
    ...lines,
    ...states.flatMap(stateLines),
    ...(operation === null ? [] : [`operation  ${operation.name}, openapi.yaml:${operation.line}`]),
    ...(curl === null ? [] : [`request    ${curl}`]),
  ]
}

/** The first thing that is wrong with an interaction, in one line. */
export function headlineOf({ findings, mismatches }: InteractionReport): string {
  const [mismatch] = mismatches
  if (mismatch !== undefined) return `${subjectOf(mismatch)}: ${mismatch.message}`
  const finding = findings.find(({ severity }) => severity === 'error') ?? findings[0]
  return finding?.message ?? 'It failed, and the Pact core did not say why.'
}

/** Where two providers disagree. */
export function differenceLines({ sandbox, base, operation, curl }: Difference): string[] {
  const side = (name: string, { result, mismatches }: Difference['sandbox']) => [
    `${name} ${result}`,
    ...mismatches.flatMap(mismatchLines).map((line) => `  ${line}`),
  ]
  return [
    ...side('sandbox', sandbox),
    ...side('base   ', base),
    ...(operation === null ? [] : [`operation  ${operation.name}, openapi.yaml:${operation.line}`]),
    ...(curl === null ? [] : [`request    ${curl}`]),
  ]
}

function mismatchLines(mismatch: Mismatch): string[] {
  const { kind, expected, got, message } = mismatch
  const head = `${subjectOf(mismatch)}: ${message}`
  if (kind !== 'header' && kind !== 'body') return [head]
  return [head, `  expected ${expected || 'nothing'}`, `  got      ${got || 'nothing'}`]
}

function subjectOf({ kind, at }: Mismatch): string {
  return at === '' ? kind : `${kind} ${at}`
}

function stateLines({ name, params, answers }: StateReport): string[] {
  const given = Object.keys(params).length === 0 ? '' : ` ${JSON.stringify(params)}`
  const state = name === '' ? 'no state' : `state "${name}"${given}`
  if (answers.length === 0) return [`${state} was not set up`]
  return answers.map(({ status, body }) => {
    const isSetUp = status >= 200 && status < 300
    return isSetUp ? `${state} was set up` : `${state} was answered ${status} ${body}`.trimEnd()
  })
}
