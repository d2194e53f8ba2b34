/** The report as workflow commands of GitHub Actions, which show each failure beside the line of the pact. */
import type { PactReport, Report } from './report.ts'
import { assumptionLines, differenceLines, sentencesOf } from './sentences.ts'
import { studySentences } from './studies.ts'

type Level = 'error' | 'warning' | 'notice'

/** Writes an annotation for everything that failed, for every warning, and for what the studies of a pact came to. */
export function github(report: Report): string {
  const { pacts, differences } = report
  const lines = [
    ...pacts.flatMap(pactLines),
    ...(differences ?? []).map((difference) => {
      const { source, line, description } = difference
      const title = `${description}: the sandbox and the base disagree`
      return annotation('error', { file: source, line, title }, differenceLines(difference))
    }),
    ...pacts.flatMap(({ source: file }) => {
      const studied = studySentences(report, file)
      return studied.length === 0
        ? []
        : [annotation('notice', { file, line: 1, title: 'Studies' }, studied)]
    }),
    ...assumptionLines(report).map((line) =>
      annotation('notice', { title: 'Assumptions' }, [line]),
    ),
  ]
  return lines.map((line) => `${line}\n`).join('')
}

function pactLines({ source: file, result, problems, interactions }: PactReport): string[] {
  const empty = annotation('error', { file, line: 1, title: 'Empty pact' }, [
    'It holds no interaction.',
  ])
  const unreadable = problems.map(({ line, column, message }) => {
    return annotation(
      'error',
      {
        file,
        line,
        col: column,
        title: `${result === 'unverified' ? 'Unverified' : 'Unreadable'} pact`,
      },
      [message],
    )
  })
  const broken = interactions.flatMap((interaction) => {
    const sentences = sentencesOf(interaction)
    const level = interaction.result === 'failed' ? 'error' : 'warning'
    if (interaction.result !== 'failed' && sentences.length === 0) return []
    const { line, description: title } = interaction
    return [annotation(level, { file, line, title }, sentences)]
  })
  return [...(result === 'empty' ? [empty] : []), ...unreadable, ...broken]
}

function annotation(
  level: Level,
  properties: Readonly<Record<string, string | number>>,
  sentences: readonly string[],
): string {
  const named = Object.entries(properties).map(([name, value]) => `${name}=${property(value)}`)
  return `::${level} ${named.join(',')}::${escaped(sentences.join('\n'))}`
}

/** What a message must not hold: the percent sign of escapes, and ends of lines. */
function escaped(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

/** A property must not hold what ends one, either. */
function property(value: string | number): string {
  return escaped(String(value)).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
