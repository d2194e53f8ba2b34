/** The report as workflow commands of GitHub Actions, which show each entry beside the line of the pact. */

import type { Report } from '../common/report-shape.ts'
import { type Entry, entryGroups } from './entries.ts'
import { assumptionLines } from './sentences.ts'

/** Writes an annotation for everything that failed, for every warning, and for what the studies of a pact found. */
export function github(report: Report): string {
  const groups = entryGroups(report)
  const lines = [
    ...groups.flatMap(({ entries }) => entries.flatMap(annotationOf)),
    ...groups
      .filter(({ studies }) => studies !== '')
      .map(({ name, studies }) => {
        return annotation('notice', { file: name, line: 1, title: 'Studies' }, studies)
      }),
    ...assumptionLines(report).map((line) => annotation('notice', { title: 'Assumptions' }, line)),
  ]
  return lines.map((line) => `${line}\n`).join('')
}

const levels = { passed: 'warning', pending: 'warning', skipped: 'notice' } as const

export function annotationOf({ source: file, line, column, title, result, text }: Entry): string[] {
  if (result !== 'failed' && text === '') return []
  const level = levels[result as keyof typeof levels] ?? 'error'
  return [annotation(level, { file, line, col: column, title }, text)]
}

export function annotation(
  level: 'error' | 'warning' | 'notice',
  properties: Readonly<Record<string, string | number | undefined>>,
  text: string,
): string {
  const named = Object.entries(properties).flatMap(([name, value]) => {
    if (value === undefined) return []
    // A property must not hold what ends one, either.
    return `${name}=${escapeMessage(String(value)).replaceAll(':', '%3A').replaceAll(',', '%2C')}`
  })
  return `::${level} ${named.join(',')}::${escapeMessage(text)}`
}

/** What a message must not hold: the percent sign of escapes, and ends of lines. */
function escapeMessage(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}
