/** The report of `learn` in each form, and the settings file that follows from it. */
import builder, { type Builder } from 'junit-report-builder'
import { assumptions } from '../assumptions/register.ts'
import { annotation } from '../contracts/report/github.ts'
import type { AssumptionVerdict, LearnReport, Unexplained } from './report.ts'

/** The package's types say that what it exports is one level further down than it is. */
const root = builder as unknown as Builder

const register = new Map<string, (typeof assumptions)[number]>(
  assumptions.map((entry) => [entry.slug, entry]),
)

const BODY_SHOWN = 500
const NUMBERS_SHOWN = 5
const DIFFERENCES_SHOWN = 6

export function prettyText(report: LearnReport): string {
  const { source, exchanges, left_out: leftOut, inferred, unexplained } = report
  const of = (verdict: AssumptionVerdict['verdict']) =>
    report.assumptions.filter((each) => each.verdict === verdict)
  const lines = [
    `${source}: ${counted(exchanges, 'exchange')} replayed`,
    ...leftOut.map((line) => `  left out: ${line}`),
    ...inferred.map((line) => `  inferred: ${line}`),
    ...unexplained.flatMap((each) => ['', ...unexplainedLines(each)]),
    '',
    ...of('contradicted').map((each) => `CONTRADICTED  ${sentenceOn(each)}`),
    ...of('undecided').map((each) => `undecided     ${sentenceOn(each)}`),
    ...of('confirmed').map((each) => `confirmed     ${sentenceOn(each)}`),
    `not seen      ${of('not_seen')
      .map(({ slug }) => slug)
      .join(', ')}`,
    '',
    sumOf(report),
  ]
  return `${lines.join('\n')}\n`
}

export function githubText(report: LearnReport): string {
  const file = report.source
  const lines = [
    ...report.unexplained.map((each) => {
      const [title = '', ...rest] = unexplainedLines(each)
      return annotation('error', { file, title }, rest.join('\n'))
    }),
    ...report.assumptions
      .filter(({ verdict }) => verdict === 'contradicted')
      .map((each) => annotation('error', { file, title: each.slug }, sentenceOn(each))),
    annotation('notice', { file, title: 'learn' }, sumOf(report)),
  ]
  return lines.map((line) => `${line}\n`).join('')
}

export function junitText(report: LearnReport): string {
  const made = root.newBuilder()
  made.name('subscription-sandbox learn')
  const suite = made.testSuite().name(report.source)
  for (const each of report.unexplained) {
    const [title = '', ...rest] = unexplainedLines(each)
    suite.testCase().className('unexplained').name(title).failure(rest.join('\n'), 'unexplained')
  }
  for (const each of report.assumptions) {
    const test = suite.testCase().className('assumptions').name(each.slug)
    if (each.verdict === 'contradicted') test.failure(sentenceOn(each), each.verdict)
    else if (each.verdict !== 'confirmed') test.skipped()
  }
  return made.build()
}

/** The file for `--settings`: each line with the exchanges that prove it. */
export function settingsText(report: LearnReport): string {
  const chosen = report.assumptions.filter(({ setting, slug, value }) => {
    const entry = register.get(slug)
    const usual = entry?.terms ? entry.terms.fallback : false
    return setting !== null && JSON.stringify(value) !== JSON.stringify(usual)
  })
  const vary = chosen.filter(({ setting }) => setting === 'vary')
  const lines = [
    `# What ${oneLine(report.source)} shows: ${counted(report.exchanges, 'exchange')}. Written by subscription-sandbox learn.`,
    ...chosen
      .filter(({ setting }) => setting !== 'vary')
      .map((each) => `${each.setting}: ${JSON.stringify(each.value)} # ${proofOf(each)}`),
    ...(vary.length === 0 ? ['vary: []'] : ['vary:']),
    ...vary.map((each) => `  - ${each.slug} # ${proofOf(each)}`),
  ]
  return `${lines.join('\n')}\n`
}

function proofOf({ verdict, shown_by: shownBy, also_fits: alsoFits }: AssumptionVerdict): string {
  const shown = shownBy.length === 0 ? 'shown by no exchange' : `shown by ${numbered(shownBy)}`
  const kept = verdict === 'contradicted' ? shown : `${shown}, as it was`
  return alsoFits.length === 0
    ? kept
    : `${kept}; ${alsoFits.map(decisionText).join(', ')} would fit too`
}

function unexplainedLines(each: Unexplained): string[] {
  const { exchange, place, request, at, differences, sandbox, service, also } = each
  const further = also.length === 0 ? '' : `, and so ${numbered(also)}`
  const hidden = differences.length - DIFFERENCES_SHOWN
  const answered = ({ status, body }: Unexplained['sandbox']) =>
    `${status} ${body.length > BODY_SHOWN ? `${body.slice(0, BODY_SHOWN)}...` : body}`
  return [
    `UNEXPLAINED   exchange ${exchange} (${place}, ${at}): ${request}${further}`,
    ...differences
      .slice(0, DIFFERENCES_SHOWN)
      .map(
        ({ at: field, sandbox: ours, service: theirs }) =>
          `  ${field}: the sandbox has ${ours ?? 'nothing'}, the service ${theirs ?? 'nothing'}`,
      ),
    ...(hidden > 0 ? [`  and ${counted(hidden, 'further difference')}`] : []),
    `  the sandbox answered ${answered(sandbox)}`,
    `  the service answered ${answered(service)}`,
  ]
}

function sentenceOn(each: AssumptionVerdict): string {
  const { slug, verdict, setting, value, before, agreeing, shown_by: shownBy } = each
  const fits = each.also_fits.map(decisionText).join(', ')
  if (verdict === 'contradicted') {
    const was = setting === 'vary' ? '' : ` and not ${JSON.stringify(before)}`
    const also = fits === '' ? '' : `; ${fits} would explain it too`
    const open = each.other_values_may_fit ? '; other values may fit as well' : ''
    return `${decisionText({ slug, value })}${was}: ${numbered(shownBy)}${also}${open}`
  }
  if (verdict === 'undecided') {
    const also = fits === '' ? 'no answer that rests on it agrees' : `${fits} would fit as well`
    return `${slug}: ${also}`
  }
  const proof = shownBy.length === 0 ? '' : `, ${numbered(shownBy)} would differ otherwise`
  return `${slug}: ${agreeing === 1 ? '1 answer rests on it and agrees' : `${agreeing} answers rest on it and agree`}${proof}`
}

function decisionText({ slug, value }: { readonly slug: string; readonly value: unknown }): string {
  const { terms = null, otherwise = '', choice = '' } = register.get(slug) ?? {}
  if (terms !== null) return `${slug}: ${JSON.stringify(value)}`
  return `${slug}: ${value === true ? otherwise : choice}`.replace(/\.$/, '')
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

function numbered(numbers: readonly number[]): string {
  const shown = numbers.slice(0, NUMBERS_SHOWN).join(', ')
  const more = numbers.length - NUMBERS_SHOWN
  const rest = more > 0 ? ` and ${more} more` : ''
  return `${numbers.length === 1 ? 'exchange' : 'exchanges'} ${shown}${rest}`
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** A file may be called what would end a comment. */
function oneLine(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, ' ')
}
