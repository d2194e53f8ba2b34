/** The report as JUnit XML: a suite for each pact, a case for each interaction. */
import builder, { type Builder, type TestSuite } from 'junit-report-builder'
import type { InteractionReport, PactReport, Report } from './report.ts'
import { differenceLines, headlineOf, sentencesOf } from './sentences.ts'
import { studySentences } from './studies.ts'

/** The package's types say that what it exports is one level further down than it is. */
const root = builder as unknown as Builder

/**
 * Writes a report as XML. What is no interaction - a file that cannot be read, a difference - is a case too; what the
 * studies of a pact came to is a property of its suite.
 */
export function junit(run: Report): string {
  const { command, pacts, differences } = run
  const report = root.newBuilder()
  report.name(`subscription-sandbox ${command}`)
  for (const pact of pacts) {
    const suite = report.testSuite()
    addPact(suite, pact)
    const studied = studySentences(run, pact.source)
    if (studied.length > 0) suite.multilineProperty('studies', studied.join('\n'))
  }
  if (differences !== null) {
    const suite = report.testSuite().name('differences')
    for (const difference of differences) {
      const { description, source, line } = difference
      const name = `${source}:${line} ${description}`
      const text = differenceLines(difference).join('\n')
      suite.testCase().className('differences').name(name).failure('They disagree').stacktrace(text)
    }
  }
  return report.build()
}

function addPact(suite: TestSuite, { source, result, problems, interactions }: PactReport): void {
  suite.name(source)
  if (result === 'skipped') suite.testCase().className(source).name('is for this run').skipped()
  if (result === 'empty') {
    suite.testCase().className(source).name('is not empty').error('It holds no interaction', result)
  }
  for (const { line, column, message } of problems) {
    const name = `is ${result === 'unverified' ? 'verified' : 'readable'}: ${source}:${line}:${column}`
    suite.testCase().className(source).name(name).error(message, result)
  }
  for (const interaction of interactions) addInteraction(suite, interaction, source)
}

function addInteraction(suite: TestSuite, interaction: InteractionReport, source: string): void {
  const { description, line, result, duration_ms: duration } = interaction
  const test = suite.testCase().className(source).name(description).file(`${source}:${line}`)
  if (duration !== null) test.time(duration / 1000)
  const text = sentencesOf(interaction).join('\n')
  if (interaction.assumptions.length > 0) {
    test.property('assumptions', interaction.assumptions.join(', '))
  }
  if (result === 'pending') test.skipped()
  if (result === 'failed') test.failure(headlineOf(interaction), 'failed').stacktrace(text)
  else if (text !== '') test.standardOutput(text)
}
