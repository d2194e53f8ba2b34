/** The report for people at a terminal. */
import { styleText } from 'node:util'
import type { InteractionReport, PactReport, Report } from '../common/report-shape.ts'
import { assumptionLines, differenceLines, sentencesOf, studyTexts } from './sentences.ts'

type Paint = (format: 'bold' | 'red' | 'green' | 'yellow', text: string) => string

/** Writes a report, coloured or plain. */
export function pretty(report: Report, colours: 'coloured' | 'plain'): string {
  const paint: Paint = (format, text) =>
    colours === 'plain' ? text : styleText(format, text, { validateStream: false })
  const lines = [
    ...report.notes.map((note) => `note: ${note}`),
    ...report.pacts.flatMap((pact) => pactLines(pact, paint)),
    ...disagreements(report, paint),
    ...studyTexts(report).flatMap((lines) => ['', ...lines]),
    '',
    ...assumptionLines(report),
    sumLine(report, paint),
  ]
  return `${lines.join('\n')}\n`
}

function pactLines(pact: PactReport, paint: Paint): string[] {
  const { source, consumer, provider, version, result, problems, warnings } = pact
  const { interactions, broker } = pact
  const of = consumer === null ? '' : `  ${consumer} -> ${provider}, Pact ${version}`
  const head = ['', `${paint('bold', source)}${of}`]
  if (result === 'skipped') {
    return [...head, ...problems.map((each) => `  ${paint('yellow', 'SKIPPED')}  ${each.message}`)]
  }
  if (result === 'empty') return [...head, `  ${paint('red', 'EMPTY')}  it holds no interaction`]
  return [
    ...head,
    ...(broker?.notices ?? []).map((notice) => `  ${notice.replaceAll(/\s+/g, ' ')}`),
    ...problems.map(({ line, column, message }) => {
      return `  ${paint('red', result.toUpperCase())}  ${source}:${line}:${column} ${message}`
    }),
    ...warnings.map(({ line, message }) => `  warning: ${message} (line ${line})`),
    ...interactions.flatMap((interaction) => interactionLines(interaction, source, paint)),
  ]
}

function interactionLines(interaction: InteractionReport, source: string, paint: Paint): string[] {
  const { description, line, result, duration_ms: duration, assumptions } = interaction
  const took = duration === null ? '' : `  ${Math.round(duration)} ms`
  const marks = {
    passed: paint('green', 'ok'),
    pending: paint('yellow', 'PENDING'),
    failed: paint('red', 'FAILED'),
  }
  const place = result === 'passed' ? took : `  ${source}:${line}`
  return [
    `  ${marks[result]}  ${description}${place}`,
    ...(assumptions.length === 0 ? [] : [`      rests on ${assumptions.join(', ')}`]),
    ...sentencesOf(interaction).map((sentence) => `      ${sentence}`),
  ]
}

function disagreements(report: Report, paint: Paint): string[] {
  const { differences, base, compared } = report
  if (differences === null) return []
  const where = `the sandbox and ${base?.url}`
  const extent =
    compared === 'answers' ? 'in every field of every answer' : 'on all that these pacts assert'
  if (differences.length === 0) return compared === null ? [] : ['', `${where} agree ${extent}`]
  return [
    '',
    paint('bold', `Where ${where} disagree`),
    ...differences.flatMap((difference) => [
      `  ${paint('red', 'DIFFERS')}  ${difference.description}  ${difference.source}:${difference.line}`,
      ...differenceLines(difference).map((line) => `      ${line}`),
    ]),
  ]
}

function sumLine({ command, result, totals, differences }: Report, paint: Paint): string {
  const { pacts, interactions, passed, failed, pending } = totals
  const done = command === 'check' ? 'compared with openapi.yaml' : 'verified'
  const differing = differences === null ? '' : `, ${differences.length} differing`
  const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`
  const sum = `${counted(interactions, 'interaction')} of ${counted(pacts, 'pact')} ${done}: ${passed} passed, ${failed} failed, ${pending} pending${differing}`
  return paint(result === 'passed' ? 'green' : 'red', sum)
}
