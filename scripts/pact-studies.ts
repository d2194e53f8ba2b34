/** What the shipped pacts lean on and what they notice, and the rows of contracts/README.md that say it. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { Report } from '../src/contracts/common/report-shape.ts'

/** Where the rows stand. */
export const README = 'contracts/README.md'
const start = '<!-- studies:start -->\n'
const end = '<!-- studies:end -->'

interface InteractionStudy {
  /** The consumer and the description. */
  readonly name: string
  readonly restsOn: readonly string[]
  readonly mutations: number
  readonly noticed: number
}

/** What came of one pact. */
export interface PactStudy {
  readonly consumer: string
  /** What was decided otherwise. */
  readonly tried: readonly string[]
  readonly interactions: readonly InteractionStudy[]
}

/** Studies pacts that hold, each for what it rests on and what it notices. */
export async function studyPacts(paths: readonly string[]): Promise<PactStudy[]> {
  const args = ['dist/cli/main.js', 'verify', ...paths, '--vary', '--mutate', '--json']
  const large = { maxBuffer: 64 * 1024 * 1024 }
  const { stdout } = await promisify(execFile)(process.execPath, args, large)
  const { pacts, variations = [], strength = [] } = Report.parse(JSON.parse(stdout))
  return pacts.map(({ consumer, interactions }, at) => ({
    consumer: String(consumer),
    tried: variations[at]?.tried ?? [],
    interactions: interactions.map(({ description }, position) => {
      const restsOn = variations[at]?.interactions[position]?.rests_on
      const counted = strength[at]?.interactions[position]?.strength
      const name = `${consumer}: ${description}`
      if (restsOn == null || counted == null) throw new Error(`${name} was not studied`)
      return { name, restsOn, mutations: counted.mutations, noticed: counted.noticed }
    }),
  }))
}

/** The page with the rows of these studies in place of those it has. */
export function withStudyRows(page: string, studies: readonly PactStudy[]): string {
  const [before, rest] = page.split(start)
  const after = rest?.split(end)[1]
  if (before === undefined || after === undefined)
    throw new Error(`${README} has no place for them`)
  const head = '| pact | rests on | notices changes |\n|---|---|---|\n'
  return `${before}${start}${head}${studies.map(studyRow).join('')}${end}${after}`
}

/** What the page says of one pact. */
export function studyRow({ consumer, interactions }: PactStudy): string {
  const slugs = [...new Set(interactions.flatMap(({ restsOn }) => restsOn))].sort()
  const sum = (of: 'mutations' | 'noticed') => interactions.reduce((all, each) => all + each[of], 0)
  const percent = Math.round((100 * sum('noticed')) / sum('mutations'))
  const leaning = slugs.map((slug) => `\`${slug}\``).join(', ') || 'nothing'
  return `| \`${consumer}\` | ${leaning} | ${sum('noticed')} of ${sum('mutations')}, ${percent} % |\n`
}
