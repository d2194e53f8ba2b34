/**
 * `npm run generators`: installs the generators of clients that are no packages of npm, as far as their toolchains are
 * on the machine, has all of them make clients that act on a sandbox, and writes the results into docs/clients.md.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, delimiter, resolve } from 'node:path'
import { controlRoutes } from '../src/http/control/routes.ts'
import { v1Operations } from '../src/operations/v1.ts'
import {
  documents,
  type Generator,
  generators,
  missingFor,
  versions,
} from '../test/generators/tools.ts'

const folder = resolve('node_modules/.cache/generators')
const python = `${folder}/python/bin/python`
const jar = 'openapi-generator-cli'
const steps = [
  ['python3', '-m', 'venv', `${folder}/python`],
  [
    python,
    ...[
      '-m',
      'pip',
      'install',
      '--quiet',
      `openapi-python-client==${versions.openapiPythonClient}`,
    ],
    ...['pydantic==2.14.3', 'urllib3==2.8.0', 'python-dateutil==2.9.0.post0'],
  ],
  [
    'go',
    'install',
    `github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v${versions.oapiCodegen}`,
  ],
  [
    'mvn',
    ...['-q', 'org.apache.maven.plugins:maven-dependency-plugin:3.9.0:copy'],
    ...[
      `-Dartifact=org.openapitools:${jar}:${versions.openapiGenerator}`,
      `-DoutputDirectory=${folder}`,
    ],
    '-Dmdep.stripVersion=true',
  ],
]

mkdirSync(folder, { recursive: true })
for (const [program = '', ...args] of steps) {
  console.log(`${program} ${args.join(' ')}`)
  const env = { ...process.env, GOBIN: folder }
  const { status } = spawnSync(program, args, { stdio: 'inherit', env })
  if (status !== 0) console.log(`Not installed: ${program} is missing or failed.`)
}

const env = {
  ...process.env,
  PATH: [folder, process.env['PATH']].join(delimiter),
  GENERATORS_PYTHON: python,
  OPENAPI_GENERATOR_JAR: `${folder}/${jar}.jar`,
  CARGO_TARGET_DIR: `${folder}/target`,
}
const report = `${folder}/results.json`
const vitest = [
  ...['vitest', 'run', '--project', 'outside-together', 'test/generators/generators.test.ts'],
  ...['--reporter=verbose', '--reporter=json', `--outputFile.json=${report}`],
]
process.exitCode = spawnSync('npx', vitest, { stdio: 'inherit', env }).status ?? 1

interface Results {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly title: string; readonly status: string }[]
  }[]
}

const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Results
const page = 'docs/clients.md'
const START = '<!-- generators:start -->'
const END = '<!-- generators:end -->'
const text = readFileSync(page, 'utf8')
const [from, to] = [text.indexOf(START), text.indexOf(END)]
if (from === -1 || to < from) throw new Error(`${page} has no ${START} and ${END}`)
const section = [
  `Run on ${new Date().toISOString().slice(0, 10)}, with the ${v1Operations.length} operations of \`${documents.v1}\` and the ${controlRoutes.length} operations of`,
  `\`${documents.control}\`:`,
  '',
  '| generator | version | documents | sends | result |',
  '|---|---|---|---|---|',
  ...generators.map(rowOf),
]
writeFileSync(page, `${text.slice(0, from)}${START}\n${section.join('\n')}\n${text.slice(to)}`)

function rowOf(generator: Generator): string {
  const { name, version, query, runs } = generator
  const cells = [
    ...[name, version, query === '' ? 'default' : `\`${query}\``],
    ...[runs === 2 ? 'JSON, form' : 'JSON', resultOf(generator)],
  ]
  return `| ${cells.join(' | ')} |`
}

function resultOf(generator: Generator): string {
  const { name, run, note } = generator
  const results = testResults.flatMap(({ assertionResults }) => assertionResults)
  const status = results.find(({ title }) => title.startsWith(`${name} makes`))?.status
  if (status === 'failed') return '**fails**'
  if (status !== 'passed') return `not run: needs ${neededBy(generator)}`
  if ('says' in run) return `does not compile: [bug of the generator](${run.issue})`
  return note === undefined ? 'works' : `works ${note}`
}

/** What the generator needs first that the machine does not have. */
function neededBy(generator: Generator): string {
  const [program = ''] = missingFor(generator) ?? []
  return `\`${basename(program)}\``
}
