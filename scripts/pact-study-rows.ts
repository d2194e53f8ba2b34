/** The rows of contracts/README.md that say what each shipped pact leans on and what it notices. */
import { basename } from 'node:path'
import type { Report } from '../src/contracts/report/report.ts'

/** Where the rows stand. */
export const README = 'contracts/README.md'
const start = '<!-- studies:start -->\n'
const end = '<!-- studies:end -->'

/** One row of Markdown for each pact of a report with both studies. */
function studyRows({ pacts, variations = [], strength = [] }: Report): string {
  const rows = pacts.map(({ source, consumer }) => {
    const varied = variations.find((study) => study.source === source)
    const changed = strength.find((study) => study.source === source)
    if (varied === undefined || changed === undefined) {
      throw new Error(`${basename(source)} was not studied`)
    }
    const leaning = varied.interactions.flatMap(({ leans_on }) => leans_on ?? [])
    const slugs = [...new Set(leaning)].sort().map((slug) => `\`${slug}\``)
    const { noticed, mutations } = changed
    const percent = Math.round((100 * noticed) / mutations)
    const score = `${noticed} of ${mutations}, ${percent} %`
    return `| \`${consumer}\` | ${slugs.join(', ') || 'nothing'} | ${score} |\n`
  })
  const head = '| pact | leans on | notices changes |\n|---|---|---|\n'
  return `${head}${rows.join('')}`
}

/** The page with the rows of a report in place of those it has. */
export function withStudyRows(page: string, report: Report): string {
  const [before, rest] = page.split(start)
  const after = rest?.split(end)[1]
  if (before === undefined || after === undefined)
    throw new Error(`${README} has no place for them`)
  return `${before}${start}${studyRows(report)}${end}${after}`
}
