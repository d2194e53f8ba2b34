/** The report as JUnit XML: a suite for each pact, a case for each entry. */
import builder, { type Builder, type TestSuite } from 'junit-report-builder'
import type { Report } from '../common/report-shape.ts'
import { type Entry, entryGroups } from './entries.ts'

/** The package's types say that what it exports is one level further down than it is. */
const root = builder as unknown as Builder

/** Writes a report as XML. The findings of the studies of a pact are a property of its suite. */
export function junit(run: Report): string {
  return junitOf(run.command, entryGroups(run))
}

/** Writes a suite for each group of entries, as XML. */
export function junitOf(command: string, groups: ReturnType<typeof entryGroups>): string {
  const report = root.newBuilder()
  report.name(`subscription-sandbox ${command}`)
  for (const { name, entries, studies } of groups) {
    const suite = report.testSuite().name(name)
    for (const entry of entries) addCase(suite, entry)
    if (studies !== '') suite.multilineProperty('studies', studies)
  }
  return report.build()
}

function addCase(suite: TestSuite, entry: Entry): void {
  const { source, line, title, result, headline, text } = entry
  const { duration_ms: duration = null, assumptions = [] } = entry.interaction ?? {}
  const test = suite.testCase().className(source).name(title)
  test.file(line === undefined ? source : `${source}:${line}`)
  if (duration !== null) test.time(duration / 1000)
  if (assumptions.length > 0) test.property('assumptions', assumptions.join(', '))
  if (result === 'failed') test.failure(headline, result).stacktrace(text)
  else if (result === 'pending' || result === 'skipped') test.skipped()
  else if (result !== 'passed') test.error(headline, result)
  const isWarning = result === 'passed' || result === 'pending'
  if (isWarning && text !== '') test.standardOutput(text)
}
