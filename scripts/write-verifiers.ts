/**
 * `npm run verifiers`: has the stock libraries of Pact write, publish and verify pacts with a sandbox, those of npm by the
 * tests and the others by `try-examples.sh`, as far as their toolchains are on the machine; writes docs/clients.md.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

const example = (path: string) => readFileSync(`contracts/examples/${path}`, 'utf8')
const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
const inTest = (name: string, title = '') => [
  ...['npx', 'vitest', 'run', '--project', 'outside-together', `test/contract/${name}.test.ts`],
  ...['-t', title],
]
const inExample = (language: string) => ['sh', 'scripts/try-examples.sh', language]
const ofNpm = (name: string) => ({
  name: `${name} (npm)`,
  version: devDependencies[name],
  needs: [],
})

const verifiers = [
  {
    ...ofNpm('@pact-foundation/pact-core'),
    run: inTest('broker', 'stock verifier'),
    does: 'verifies pacts of the broker, publishes the results',
  },
  {
    ...ofNpm('@pact-foundation/pact-cli'),
    run: inTest('broker-command-line'),
    does: 'publishes pacts, verifies them from the broker, publishes the results, asks `can-i-deploy`',
  },
  {
    ...ofNpm('@pact-foundation/pact'),
    run: inExample('typescript'),
    does: 'writes a pact',
  },
  {
    ...ofNpm('@pact-foundation/pact'),
    name: 'its `Verifier`',
    run: inTest('broker', 'the Verifier of pact-js'),
    does: 'verifies pacts of JSON; each form fails, with the cause in its report',
  },
  {
    ...{
      name: 'pact-jvm, JUnit 5',
      version: /<pact.version>([^<]+)/.exec(example('java/pom.xml'))?.[1],
    },
    ...{ needs: ['mvn'], run: inExample('java') },
    does: 'writes and publishes a pact, verifies pacts of the broker, publishes the results, asks `can-i-deploy`',
  },
  {
    ...{ name: 'pact-go', version: /pact-go\/v2 v(\S+)/.exec(example('go/go.mod'))?.[1] },
    ...{ needs: ['go'], run: inExample('go') },
    does: 'writes a pact, verifies pacts of the broker',
  },
  {
    ...{ name: 'pact-python', version: /==(\S+)/.exec(example('python/requirements.txt'))?.[1] },
    ...{ needs: ['python3'], run: inExample('python') },
    does: 'writes a pact, verifies pacts of the broker, publishes the results',
  },
]

function rowOf({ name, version, needs, run, does }: (typeof verifiers)[number]): string {
  return `| ${name} | ${version} | ${does} | ${resultOf(needs, run)} |`
}

function resultOf(needs: readonly string[], [program = '', ...args]: readonly string[]): string {
  const missing = needs.find((each) => spawnSync('sh', ['-c', `command -v ${each}`]).status !== 0)
  if (missing !== undefined) return `not run: needs \`${missing}\``
  const { status } = spawnSync(program, args, { stdio: 'inherit' })
  if (status !== 0) process.exitCode = 1
  return status === 0 ? 'as said' : '**fails**'
}

const page = 'docs/clients.md'
const [START, END] = ['<!-- verifiers:start -->', '<!-- verifiers:end -->']
const rows = verifiers.map(rowOf)
const text = readFileSync(page, 'utf8')
const [from, to] = [text.indexOf(START), text.indexOf(END)]
if (from === -1 || to < from) throw new Error(`${page} has no ${START} and ${END}`)
const section = [
  `Run on ${new Date().toISOString().slice(0, 10)}:`,
  '',
  '| library | version | what it does | result |',
  '|---|---|---|---|',
  ...rows,
]
writeFileSync(page, `${text.slice(0, from)}${START}\n${section.join('\n')}\n${text.slice(to)}`)
