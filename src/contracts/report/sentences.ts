/** The lines about one interaction in every report for people. */
import { reasonIn } from '../common/json.ts'
import type {
  Difference,
  InteractionReport,
  Mismatch,
  Report,
  StateReport,
  StrengthStudy,
  VariationStudy,
} from '../common/report-shape.ts'

/** Why an interaction failed and how to reproduce it; empty if it passed without findings. */
export function sentencesOf(interaction: InteractionReport): string[] {
  const { findings, mismatches, operation, result, script, curl } = interaction
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
    ...interaction.hints.map((hint) => `hint       ${hint}`),
    ...states.flatMap(stateLines),
    ...(operation === null ? [] : [`operation  ${operation.name}, openapi.yaml:${operation.line}`]),
    ...answerLines(interaction),
    // The whole script if something was sent, otherwise the request.
    ...(script === null ? [] : ['again', ...script.split('\n').map((line) => `  ${line}`)]),
    ...(script !== null || curl === null ? [] : [`request    ${curl}`]),
  ]
}

/** An answer as curl prints it. */
function answerLines({ answer }: InteractionReport): string[] {
  if (answer === null) return []
  const { status, headers, body } = answer
  const lines = [`HTTP ${status}`, ...headers.map(([name, value]) => `${name}: ${value}`)]
  const shown = body === '' ? lines : [...lines, '', ...body.split('\n')]
  return ['answer', ...shown.map((line) => `  ${line}`)]
}

/** The assumptions that the answers of a run rest on. */
export function assumptionLines({ assumptions }: Report): string[] {
  if (assumptions.length === 0) return []
  const shown = assumptions.map(({ slug, interactions }) => `${slug} (${interactions})`)
  return [`The answers rest on these assumptions: ${shown.join(', ')}`]
}

/** The first problem of an interaction, in one line. */
export function headlineOf({ findings, mismatches }: InteractionReport): string {
  const [mismatch] = mismatches
  if (mismatch !== undefined) return `${subjectOf(mismatch)}: ${mismatch.message}`
  const finding = findings.find(({ severity }) => severity === 'error') ?? findings[0]
  return finding?.message ?? 'It failed, and the Pact core did not say why.'
}

/** Where two providers disagree. */
export function differenceLines(difference: Difference): string[] {
  const { sandbox, base, fields, operation, curl } = difference
  const side = (name: string, { result, mismatches }: Difference['sandbox']) => [
    `${name} ${result}`,
    ...mismatches.flatMap(mismatchLines).map((line) => `  ${line}`),
  ]
  return [
    ...side('sandbox', sandbox),
    ...side('base   ', base),
    ...fields.map((field) => {
      const values = `sandbox ${field.sandbox ?? 'nothing'}, base ${field.base ?? 'nothing'}`
      return `${field.change} ${field.at}: ${values}`
    }),
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
    return isSetUp ? `${state} was set up` : `${state} was answered ${status}: ${reasonIn(body)}`
  })
}

/** The findings of the studies, a block of lines for each studied pact and study; of one pact only where `source` names it. */
export function studyTexts(
  { variations = [], strength = [] }: Report,
  source?: string,
): string[][] {
  const isMeant = (study: VariationStudy | StrengthStudy) =>
    study.interactions.length > 0 && (source === undefined || study.source === source)
  return [
    ...variations.filter(isMeant).map(variationLines),
    ...strength.filter(isMeant).map(strengthLines),
  ]
}

/** What each interaction of one pact rests on. */
function variationLines({ source, tried, interactions }: VariationStudy): string[] {
  const head = `${source} under ${tried.length} variations`
  if (interactions.every(({ rests_on }) => rests_on?.length === 0)) {
    return [`${head}: every interaction holds under each`]
  }
  const lines = interactions.map(({ description, rests_on }) => {
    if (rests_on === null) return `  ${description}: fails without a variation, too`
    const found = rests_on.length === 0 ? 'holds under each' : `fails under ${rests_on.join(', ')}`
    return `  ${description}: ${found}`
  })
  return [head, ...lines]
}

/** Which changes of its answers one pact does not notice. */
function strengthLines({ source, mutations, noticed, interactions }: StrengthStudy): string[] {
  const percent = mutations === 0 ? '' : ` (${Math.round((100 * noticed) / mutations)} %)`
  const lines = interactions.map(({ description, strength }) => {
    if (strength === null) return `  ${description}: fails as it is, so that nothing was changed`
    const said = assertedText(strength)
    return `  ${description}: ${strength.noticed} of ${strength.mutations} noticed; ${said}`
  })
  return [`${source} notices ${noticed} of ${mutations} changes of its answers${percent}`, ...lines]
}

type Strength = NonNullable<StrengthStudy['interactions'][number]['strength']>

function assertedText({ fields, unasserted }: Strength): string {
  const open = unasserted.join(', ')
  if (fields === 0) return 'the answer has no fields'
  if (open !== '') return `asserts nothing about ${unasserted.length} of ${fields} fields (${open})`
  return `asserts something about ${fields === 1 ? 'its only field' : `all of its ${fields} fields`}`
}
