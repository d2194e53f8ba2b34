/** The report as one list, for reporters without a layout: each unusable file, each interaction, each difference. */
import type { InteractionReport, PactReport, Report } from '../common/report-shape.ts'
import { differenceLines, headlineOf, sentencesOf, studyTexts } from './sentences.ts'

export interface Entry {
  readonly source: string
  /** Absent where it is about the whole file. */
  readonly line?: number
  readonly column?: number
  readonly title: string
  readonly result: PactReport['result'] | InteractionReport['result']
  /** What is wrong, in one line. */
  readonly headline: string
  readonly text: string
  /** Absent where it is about no single one. */
  readonly interaction?: InteractionReport
}

/** The entries by pact, with the findings of its studies, and those of `--diff` last. */
export function entryGroups(report: Report) {
  const groups = report.pacts.map((pact) => ({
    name: pact.source,
    entries: [
      ...fileEntries(pact),
      ...pact.interactions.map((interaction): Entry => {
        const { source } = pact
        const { description: title, line, result } = interaction
        const headline = headlineOf(interaction)
        const text = sentencesOf(interaction).join('\n')
        return { source, line, title, result, headline, text, interaction }
      }),
    ],
    studies: studyTexts(report, pact.source).flat().join('\n'),
  }))
  if (report.differences === null) return groups
  const entries = report.differences.map((difference): Entry => {
    const { source, line, description } = difference
    const title = `${description}: the sandbox and the base disagree`
    const text = differenceLines(difference).join('\n')
    return { source, line, title, result: 'failed', headline: 'They disagree', text }
  })
  return [...groups, { name: 'differences', entries, studies: '' }]
}

const titles = { skipped: 'Skipped pact', unverified: 'Unverified pact' } as const

function fileEntries({ source, result, problems, warnings }: PactReport): Entry[] {
  const file = { source, line: 1, result }
  const message = 'It holds no interaction.'
  if (result === 'empty')
    return [{ ...file, title: 'Empty pact', headline: message, text: message }]
  const title = titles[result as keyof typeof titles] ?? 'Unreadable pact'
  return [
    ...problems.map(({ message: text, ...place }) => {
      return { ...file, ...place, title, headline: text, text }
    }),
    ...warnings.map(({ message: text, ...place }): Entry => {
      return { source, ...place, title: 'Pact file', result: 'passed', headline: text, text }
    }),
  ]
}
