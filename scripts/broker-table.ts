/** What stock tools of Pact can do with the broker of a sandbox, from a run, and the rows of contracts/README.md that say it. */
import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'

/** Where the rows stand. */
export const README = 'contracts/README.md'
const start = '<!-- broker:start -->\n'
const end = '<!-- broker:end -->'

const program = createRequire(import.meta.url).resolve('@pact-foundation/pact-cli/bin/pact.js')
const pact = 'contracts/pacts/reference-json-client-subscription-service.json'
const consumer = 'reference-json-client'
const provider = 'subscription-service'
const own = `-a ${consumer}`
const version = `${own} -e 1`
const environment = '--environment test'

/** The commands of the broker in the order in which they are run: each finds what those before it left. */
const commands = [
  `publish ${pact} -a 1 --branch main --tag prod`,
  'list-latest-pact-versions',
  `create-version-tag ${version} -t test`,
  `describe-version ${version}`,
  `describe-pacticipant --name ${consumer}`,
  `can-i-deploy ${version}`,
  `can-i-deploy ${version} --to prod`,
  `can-i-deploy ${own} --branch main`,
  `can-i-deploy ${own} --main-branch`,
  `can-i-deploy ${own} --latest`,
  `can-i-deploy ${own} --latest prod`,
  `can-i-deploy ${version} -a ${provider} --branch main`,
  `can-i-deploy -a ${provider} -e 1`,
  `can-i-merge ${version}`,
  `create-or-update-version ${own} -e 2 --branch feature -t next`,
  `can-i-deploy ${version} --to-environment test`,
  `can-i-deploy ${version} --ignore ${provider}`,
  `record-deployment ${version} ${environment}`,
  `record-undeployment ${own} ${environment}`,
  `record-release ${version} ${environment}`,
  `record-support-ended ${version} ${environment}`,
  'create-environment --name test',
  'update-environment --uuid 1 --name test',
  'describe-environment --uuid 1',
  'list-environments',
  'delete-environment --uuid 1',
  'create-webhook http://127.0.0.1:9/ -X POST --contract-published',
  'create-or-update-webhook http://127.0.0.1:9/ -X POST --contract-published --uuid 1',
  'test-webhook --uuid 1',
  'delete-webhook --uuid 1',
  `delete-branch ${own} --branch main`,
  `delete-version-tag ${version} -t test`,
  `create-or-update-version ${own} -e 3`,
  `describe-version ${own}`,
  `create-or-update-pacticipant --name ${consumer}`,
  'list-pacticipants',
  `get-pacts --provider ${provider}`,
  `provider-states list --provider ${provider}`,
] as const

/** What a verifier may be told to take. */
const selections: readonly (readonly string[])[] = [
  [],
  ...[
    '{"mainBranch":true}',
    '{"branch":"main"}',
    '{"branch":"gone","fallbackBranch":"main"}',
    '{"matchingBranch":true}',
    '{"tag":"prod"}',
    '{"tag":"prod","latest":true}',
    '{"tag":"gone","latest":true,"fallbackTag":"prod"}',
    '{"latest":true}',
    `{"consumer":"${consumer}","latest":true}`,
    '{"deployed":true}',
    '{"released":true}',
    '{"deployedOrReleased":true}',
    '{"environment":"test"}',
  ].map((selector) => ['--consumer-version-selectors', selector]),
  ['--consumer-version-tags', 'prod'],
  ['--consumer-version-selectors', '{"latest":true}', '--enable-pending'],
  ['--consumer-version-selectors', '{"latest":true}', '--include-wip-pacts-since', '2026-01-01'],
]

/** What came of one command. */
export interface Tried {
  readonly command: string
  readonly outcome: string
}

/** Runs every command of the table against the sandbox at an address, which must be empty. */
export async function tryBroker(url: string): Promise<Tried[]> {
  const broker = ['-b', `${url}/sandbox/broker`, '--retries', '0']
  const [publishing = '', ...others] = commands
  const tried = [await run(publishing, ['broker', ...publishing.split(' '), ...broker])]
  const { hostname, port } = new URL(url)
  const states = ['-s', `${url}/sandbox/provider-states`, '--state-change-teardown']
  const where = ['-h', hostname, '-p', port, '-n', provider, ...states, ...broker.slice(0, 2)]
  const publish = [
    '--publish',
    '--provider-version',
    '1',
    '--provider-branch',
    'main',
    '--provider-tags',
    'prod',
  ]
  const verified: Tried[] = []
  for (const selection of selections) {
    const command = ['verifier', ...selection].join(' ')
    verified.push(await run(command, ['verifier', ...where, ...publish, ...selection]))
  }
  for (const command of others) {
    tried.push(await run(command, ['broker', ...command.split(' '), ...broker]))
  }
  return [...tried, ...verified]
}

async function run(command: string, args: readonly string[]): Promise<Tried> {
  // It reports its use unless told not to, and would look for the broker behind a proxy.
  const quiet = { PACT_DO_NOT_TRACK: 'true', NO_PROXY: '127.0.0.1', no_proxy: '127.0.0.1' }
  const options = { env: { ...process.env, ...quiet } }
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...args], options, (error, output, errors) => {
      resolve({ command, outcome: error === null ? 'works' : failureIn(output + errors) })
    })
  })
}

/** The sentence that refuses a command, or the address that it went to instead. */
function failureIn(printed: string): string {
  const plain = printed.replaceAll('\\"', '"').replaceAll(/\s+/g, ' ')
  const absent = /\w[\w.[\]]* must be absent: [^;]+; got ("[^"]*"|\w+)/.exec(plain)
  const refused = absent ?? /The broker of a sandbox .*?PactFlow/.exec(plain)
  if (refused !== null) return `refused: ${refused[0]}.`
  const elsewhere = /broker path '(\/pacts[^']*)' failed: 404/.exec(plain)
  if (elsewhere !== null) return `fails: it asks ${elsewhere[1]}, outside the address of the broker`
  throw new Error(`The command failed, and was not refused in words: ${plain}`)
}

/** The page with what came of these commands in place of what it has. */
export function withBrokerRows(page: string, tried: readonly Tried[]): string {
  const [before, rest] = page.split(start)
  const after = rest?.split(end)[1]
  if (before === undefined || after === undefined)
    throw new Error(`${README} has no place for them`)
  const outcomes = new Set(tried.map(({ outcome }) => outcome))
  const rows = [...outcomes].map((outcome) => {
    const same = tried.filter((each) => each.outcome === outcome)
    return `| ${outcome} | ${same.map(({ command }) => `\`${command}\``).join('<br>')} |\n`
  })
  return `${before}${start}| what comes of it | commands |\n|---|---|\n${rows.join('')}${end}${after}`
}
