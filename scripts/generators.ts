/**
 * `npm run generators`: installs the generators of clients that are no packages of npm, as far as their toolchains are
 * on the machine, and has all of them make clients that act on a sandbox.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { delimiter, resolve } from 'node:path'

const folder = resolve('node_modules/.cache/generators')
const python = `${folder}/python/bin/python`
const jar = 'openapi-generator-cli'
const steps = [
  ['python3', '-m', 'venv', `${folder}/python`],
  [
    python,
    ...['-m', 'pip', 'install', '--quiet', 'openapi-python-client==0.27.1'],
    ...['pydantic==2.14.3', 'urllib3==2.8.0', 'python-dateutil==2.9.0.post0'],
  ],
  ['go', 'install', 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2'],
  [
    'mvn',
    ...['-q', 'org.apache.maven.plugins:maven-dependency-plugin:3.9.0:copy'],
    ...[`-Dartifact=org.openapitools:${jar}:7.17.0`, `-DoutputDirectory=${folder}`],
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
}
const vitest = ['vitest', 'run', 'test/generators', '--reporter=verbose']
process.exitCode = spawnSync('npx', vitest, { stdio: 'inherit', env }).status ?? 1
