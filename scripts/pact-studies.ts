/** What the shipped pacts lean on and what they notice, and the rows of contracts/README.md that say it. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Report } from '../src/contracts/report/report.ts'

/** Where the rows stand. */
export const README = 'contracts/README.md'
const start = '<!-- studies:start -->\n'
const end = '<!-- studies:end -->'

/** What is read of a pact to put several into one. */
interface Pact {
  readonly consumer: { readonly name: string }
  readonly interactions: readonly { readonly description: string }[]
}

interface InteractionStudy {
  /** The consumer and the description. */
  readonly name: string
  readonly leansOn: readonly string[]
  readonly mutations: number
  readonly noticed: number
}

/** What came of one pact. */
interface PactStudy {
  readonly consumer: string
  readonly interactions: readonly InteractionStudy[]
}

/** Studies pacts as one, because each variation is a run of the core, which takes a second to start. */
export async function studyPacts(paths: readonly string[], ...studies: ('--vary' | '--mutate')[]) {
  const texts = await Promise.all(paths.map((path) => readFile(path, 'utf8')))
  const pacts = texts.map((text): Pact => JSON.parse(text))
  const interactions = pacts.flatMap(({ consumer, interactions }) =>
    interactions.map((each) => ({ ...each, description: nameOf(consumer, each) })),
  )
  const { variations, strength } = await studied({ ...pacts[0], interactions }, studies)
  const [varied] = variations ?? []
  const [changed] = strength ?? []
  const byName = new Map(
    interactions.map(({ description: name }, at): [string, InteractionStudy] => {
      const { mutations = 0, noticed = 0 } = changed?.interactions[at]?.strength ?? {}
      const leansOn = varied?.interactions[at]?.leans_on
      if (leansOn == null) throw new Error(`${name} was not studied`)
      return [name, { name, leansOn, mutations, noticed }]
    }),
  )
  const found = pacts.map(({ consumer, interactions }): PactStudy => {
    const own = interactions.map((each) => byName.get(nameOf(consumer, each)))
    return { consumer: consumer.name, interactions: own.filter((each) => each !== undefined) }
  })
  return { tried: varied?.tried ?? [], studies: found }
}

function nameOf(consumer: Pact['consumer'], { description }: Pact['interactions'][number]): string {
  return `${consumer.name}: ${description}`
}

async function studied(pact: object, studies: readonly string[]): Promise<Report> {
  const folder = await mkdtemp(join(tmpdir(), 'subscription-sandbox-studies-'))
  try {
    const path = join(folder, 'pact.json')
    await writeFile(path, JSON.stringify(pact))
    const args = ['dist/cli/main.js', 'verify', path, ...studies, '--json']
    const large = { maxBuffer: 64 * 1024 * 1024 }
    const { stdout } = await promisify(execFile)(process.execPath, args, large)
    return Report.parse(JSON.parse(stdout))
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** The page with the rows of these studies in place of those it has. */
export function withStudyRows(page: string, studies: readonly PactStudy[]): string {
  const [before, rest] = page.split(start)
  const after = rest?.split(end)[1]
  if (before === undefined || after === undefined)
    throw new Error(`${README} has no place for them`)
  const head = '| pact | leans on | notices changes |\n|---|---|---|\n'
  return `${before}${start}${head}${studies.map(studyRow).join('')}${end}${after}`
}

/** What the page says of one pact. */
export function studyRow({ consumer, interactions }: PactStudy): string {
  const slugs = [...new Set(interactions.flatMap(({ leansOn }) => leansOn))].sort()
  const sum = (of: 'mutations' | 'noticed') => interactions.reduce((all, each) => all + each[of], 0)
  const percent = Math.round((100 * sum('noticed')) / sum('mutations'))
  const leaning = slugs.map((slug) => `\`${slug}\``).join(', ') || 'nothing'
  return `| \`${consumer}\` | ${leaning} | ${sum('noticed')} of ${sum('mutations')}, ${percent} % |\n`
}
