/** The report of `learn` in each form, and the settings file that follows from it. */
import { assumptions } from '../assumptions/register.ts'
import type { Entry } from '../contracts/report/entries.ts'
import { annotation, annotationOf } from '../contracts/report/github.ts'
import { junitOf } from '../contracts/report/junit.ts'
import { countText } from '../wire/common/text.ts'
import type { AssumptionVerdict } from './attribute.ts'
import { choiceOf, type Decision, isSameValue } from './decisions.ts'
import type { LearnReport, Unexplained } from './report.ts'

const BODY_SHOWN = 500
const NUMBERS_SHOWN = 5
const DIFFERENCES_SHOWN = 6

export function prettyText(report: LearnReport): string {
  const { source, exchanges, left_out: leftOut, inferred, unexplained } = report
  const notSeen = report.assumptions.filter(({ verdict }) => verdict === 'not_seen')
  const sentences = (verdict: AssumptionVerdict['verdict'], word: string) =>
    report.assumptions
      .filter((each) => each.verdict === verdict)
      .map((each) => `${word.padEnd(14)}${sentenceOn(each)}`)
  const lines = [
    `${source}: ${countText(exchanges, 'exchange')} replayed`,
    ...leftOutLines(leftOut),
    ...inferred.map((line) => `  inferred: ${line}`),
    ...unexplained.flatMap((each) => ['', ...unexplainedLines(each)]),
    '',
    ...sentences('contradicted', 'CONTRADICTED'),
    ...sentences('undecided', 'undecided'),
    ...sentences('confirmed', 'confirmed'),
    `not seen      ${notSeen.map(({ slug }) => slug).join(', ')}`,
    '',
    sumOf(report),
  ]
  return `${lines.join('\n')}\n`
}

/** A line for each reason, with the first place. */
function leftOutLines(leftOut: readonly string[]): string[] {
  const reasons = leftOut.map((line) => line.slice(line.indexOf(': ')))
  return leftOut.flatMap((line, at) => {
    if (reasons.indexOf(reasons[at] ?? '') < at) return []
    const more = reasons.filter((each) => each === reasons[at]).length - 1
    const so = more === 1 ? 'So is 1 more.' : `So are ${more} more.`
    return `  left out: ${line}${more === 0 ? '' : ` ${so}`}`
  })
}

export function githubText(report: LearnReport): string {
  const sum = annotation('notice', { file: report.source, title: 'learn' }, sumOf(report))
  return [...entriesIn(report).flatMap(annotationOf), sum].map((line) => `${line}\n`).join('')
}

export function junitText(report: LearnReport): string {
  return junitOf('learn', [{ name: report.source, entries: entriesIn(report), studies: '' }])
}

const results = { contradicted: 'failed', confirmed: 'passed' } as const

/** What is unexplained, and each assumption, as the reporters of pacts write them. */
function entriesIn({ source, unexplained, assumptions: verdicts }: LearnReport): Entry[] {
  return [
    ...unexplained.map((each): Entry => {
      const [title = '', ...rest] = unexplainedLines(each)
      return { source, title, result: 'failed', headline: 'unexplained', text: rest.join('\n') }
    }),
    ...verdicts.map((each) => {
      const result = results[each.verdict as keyof typeof results] ?? 'skipped'
      const text = result === 'failed' ? sentenceOn(each) : ''
      return { source, title: each.slug, result, headline: text, text }
    }),
  ]
}

/** The file for `--settings`: each line with the exchanges that prove it. */
export function settingsText(report: LearnReport): string {
  const usual = choiceOf({})
  const chosen = report.assumptions.filter(
    ({ setting, slug, value }) => setting !== null && !isSameValue(value, usual.get(slug)),
  )
  const vary = chosen.filter(({ setting }) => setting === 'vary')
  const lines = [
    // A file may be called what would end a comment.
    `# What ${report.source.replaceAll(/\p{Cc}/gu, ' ')} shows: ${countText(report.exchanges, 'exchange')}. Written by subscription-sandbox learn.`,
    ...chosen
      .filter(({ setting }) => setting !== 'vary')
      .map((each) => `${each.setting}: ${JSON.stringify(each.value)} # ${proofOf(each)}`),
    vary.length === 0 ? 'vary: []' : 'vary:',
    ...vary.map((each) => `  - ${each.slug} # ${proofOf(each)}`),
  ]
  return `${lines.join('\n')}\n`
}

function proofOf({ verdict, shown_by: shownBy, also_fits: alsoFits }: AssumptionVerdict): string {
  const shown = shownBy.length === 0 ? 'shown by no exchange' : `shown by ${numbersText(shownBy)}`
  const kept = verdict === 'contradicted' ? '' : ', as it was'
  const also = alsoFits.length === 0 ? '' : `; ${decisionTexts(alsoFits)} would fit too`
  return `${shown}${kept}${also}`
}

function unexplainedLines(each: Unexplained): string[] {
  const { exchange, place, request, at, differences, sandbox, service, also } = each
  const further = also.length === 0 ? '' : `, and so ${numbersText(also)}`
  const hidden = differences.length - DIFFERENCES_SHOWN
  const answered = ({ status, body }: Unexplained['sandbox']) =>
    `answered ${status} ${body.length > BODY_SHOWN ? `${body.slice(0, BODY_SHOWN)}...` : body}`
  const fields = differences.slice(0, DIFFERENCES_SHOWN).map((field) => {
    const [ours, theirs] = [field.sandbox ?? 'nothing', field.service ?? 'nothing']
    return `  ${field.at}: the sandbox has ${ours}, the service ${theirs}`
  })
  return [
    `UNEXPLAINED   exchange ${exchange} (${place}, ${at}): ${request}${further}`,
    ...fields,
    ...(hidden > 0 ? [`  and ${countText(hidden, 'further difference')}`] : []),
    `  the sandbox ${answered(sandbox)}`,
    `  the service ${answered(service)}`,
  ]
}

function sentenceOn(each: AssumptionVerdict): string {
  const { slug, verdict, setting, value, before, agreeing, shown_by: shownBy } = each
  const fits = decisionTexts(each.also_fits)
  const open = each.other_values_may_fit ? '; other values may fit as well' : ''
  if (verdict === 'contradicted') {
    const was = setting === 'vary' ? '' : ` and not ${JSON.stringify(before)}`
    const also = fits === '' ? '' : `; ${fits} would explain it too`
    return `${decisionTexts([{ slug, value }])}${was}: ${numbersText(shownBy)}${also}${open}`
  }
  if (verdict === 'undecided') {
    return fits === '' ? `${slug}: no answer that agrees shows it` : `${fits} would fit as well`
  }
  const proof = shownBy.length === 0 ? '' : `, ${numbersText(shownBy)} would differ otherwise`
  return `${slug}: ${agreeing === 1 ? '1 answer rests on it and agrees' : `${agreeing} answers rest on it and agree`}${proof}${open}`
}

function decisionTexts(decisions: readonly Pick<Decision, 'slug' | 'value'>[]): string {
  const texts = decisions.map(({ slug, value }) => {
    const entry = assumptions.find((each) => each.slug === slug)
    if (entry?.terms) return `${slug}: ${JSON.stringify(value)}`
    return `${slug}: ${value === true ? entry?.otherwise : entry?.choice}`.replace(/\.$/, '')
  })
  return texts.join(', ')
}

function sumOf({ result, unexplained, assumptions: all }: LearnReport): string {
  const count = (verdict: AssumptionVerdict['verdict']) =>
    all.filter((each) => each.verdict === verdict).length
  const head =
    result === 'same'
      ? 'The service decides as the settings do'
      : 'The service differs from the settings'
  return `${head}: ${unexplained.length} unexplained, ${count('contradicted')} contradicted, ${count('confirmed')} confirmed, ${count('undecided')} undecided, ${count('not_seen')} not seen`
}

function numbersText(numbers: readonly number[]): string {
  const shown = numbers.slice(0, NUMBERS_SHOWN).join(', ')
  const more = numbers.length - NUMBERS_SHOWN
  return `${numbers.length === 1 ? 'exchange' : 'exchanges'} ${shown}${more > 0 ? ` and ${more} more` : ''}`
}
