/** The ways in which projects load modules: each has a folder with a program that uses the package, and commands that run it. */
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { PATIENCE_MS } from '../../vitest.config.ts'

type Command = readonly [program: string, ...args: string[]]

export interface ModuleSetup {
  /** What its users call it. */
  readonly setup: string
  readonly files: Readonly<Record<string, string>>
  readonly commands: readonly Command[]
  /** What the last command prints. */
  readonly prints: string
}

const modules = `import { startSandbox } from 'subscription-sandbox'
import { createClient } from 'subscription-sandbox/client'
`
const required = `const { startSandbox } = require('subscription-sandbox')
const { createClient } = require('subscription-sandbox/client')
`
/** With types, it compiles only where those of both entries are found: what is not there would be refused. */
const program = (typed: { error?: string } = {}) => `
async function main() {
  const sandbox = await startSandbox({ now: '2027-01-01' })
  const client = createClient({ baseUrl: sandbox.url, apiKey: sandbox.apiKey })
  const body = { customer_id: 'cus_ada', plan: 'pro' }
  const { data } = await client.POST('/v1/subscriptions', { body })
  ${typed.error ?? ''}
  console.log(data?.status, (await sandbox.invoices.list())[0]?.amount_due)
  await sandbox.close()
}
main()
`
const typed = program({ error: '// @ts-expect-error\n  void sandbox.invoice' })
const test = `
test('a renewal', async () => {
  const sandbox = await startSandbox({ now: new Date('2027-01-01') })
  await sandbox.subscriptions.create({ customer_id: 'cus_ada', plan: 'pro' })
  await sandbox.clock.advance('P1M')
  expect(await sandbox.invoices.list()).toEqual([
    expect.objectContaining({ amount_due: 2500 }),
    expect.objectContaining({ amount_due: 2500 }),
  ])
  const refused = sandbox.subscriptions.create({ customer_id: 'cus_nobody', plan: 'pro' })
  await expect(refused).rejects.toThrow('cus_nobody')
  await sandbox.close()
})
`

const ours = createRequire(resolve('package.json'))
/** The last compiler with `moduleResolution: node10`, which many projects still have. */
const older = createRequire(resolve('test/generators/package.json'))
const compilerOf = (from: NodeJS.Require) =>
  join(from.resolve('typescript/package.json'), '../bin/tsc')
const node: Command = [process.execPath]
const kind = (type: 'module' | 'commonjs') => ({ 'package.json': JSON.stringify({ type }) })

/** Two folders below one where the package is installed, with node 24, jest and vitest. */
const packages = '../../node_modules'
/** Both give a test five seconds, which a busy machine may take to start. */
const patient = ['--testTimeout', `${PATIENCE_MS}`]
const vitest: Command = [...node, `${packages}/vitest/vitest.mjs`, 'run', '--root', '.', ...patient]
const jest = [`${packages}/jest/bin/jest.js`, '--rootDir', '.', ...patient]

export const moduleSetups: readonly ModuleSetup[] = [
  plain('JavaScript, import', 'module', [...node, 'main.js']),
  plain('JavaScript, require', 'commonjs', [...node, 'main.js']),
  plain('JavaScript, require, Node 24', 'commonjs', [`${packages}/node/bin/node`, 'main.js']),
  compiled('TypeScript 5, module commonjs', 'commonjs', {
    compiler: compilerOf(older),
    options: ['--module', 'commonjs', '--moduleResolution', 'node10'],
  }),
  compiled('TypeScript, module node16, import', 'module', { options: ['--module', 'node16'] }),
  compiled('TypeScript, module node16, CommonJS', 'commonjs', {
    options: ['--module', 'node16'],
  }),
  compiled('TypeScript, module nodenext, CommonJS', 'commonjs', {
    options: ['--module', 'nodenext'],
  }),
  compiled('TypeScript, moduleResolution bundler', 'module', {
    options: ['--module', 'esnext', '--moduleResolution', 'bundler'],
  }),
  {
    setup: 'TypeScript, ES2022 without the types of Node, libraries checked',
    files: { ...kind('module'), 'main.ts': modules + typed },
    commands: [
      [
        ...node,
        ...[compilerOf(ours), 'main.ts', '--strict', '--target', 'es2022', '--module', 'nodenext'],
      ],
      [...node, 'main.js'],
    ],
    prints: 'active 2500',
  },
  {
    setup: 'tsx, CommonJS',
    files: { ...kind('commonjs'), 'main.ts': modules + typed },
    commands: [[...node, '--import', ours.resolve('tsx'), 'main.ts']],
    prints: 'active 2500',
  },
  {
    setup: 'esbuild to CommonJS, packages external',
    files: { ...kind('commonjs'), 'main.ts': modules + typed },
    commands: [
      [
        join(ours.resolve('esbuild/package.json'), '../bin/esbuild'),
        ...['main.ts', '--bundle', '--platform=node', '--packages=external', '--outfile=main.js'],
      ],
      [...node, 'main.js'],
    ],
    prints: 'active 2500',
  },
  {
    setup: 'Jest, require',
    files: { ...kind('commonjs'), 'a.test.js': required + test },
    commands: [[...node, ...jest]],
    prints: '1 passed',
  },
  {
    setup: 'Jest, import',
    files: { ...kind('module'), 'a.test.js': modules + test },
    commands: [[...node, '--experimental-vm-modules', ...jest]],
    prints: '1 passed',
  },
  {
    setup: 'vitest',
    files: {
      ...kind('commonjs'),
      'a.test.ts': `import { expect, test } from 'vitest'\n${modules}${test}`,
    },
    commands: [vitest],
    prints: '1 passed',
  },
  {
    setup: 'vitest, each file in a context of node:vm',
    files: {
      ...kind('commonjs'),
      'a.test.ts': `import { test } from 'subscription-sandbox/vitest'
test('a sandbox', ({ sandbox }) => sandbox.clock.advance('P1M'))`,
    },
    commands: [[...vitest, '--pool', 'vmThreads']],
    prints: '1 passed',
  },
]

function plain(setup: string, type: 'module' | 'commonjs', command: Command): ModuleSetup {
  const head = type === 'module' ? modules : required
  const files = { ...kind(type), 'main.js': head + program() }
  return { setup, files, commands: [command], prints: 'active 2500' }
}

/** A program that is compiled and run. */
function compiled(
  setup: string,
  type: 'module' | 'commonjs',
  { options, compiler = compilerOf(ours) }: { options: readonly string[]; compiler?: string },
): ModuleSetup {
  const library = ['--target', 'es2022', '--types', 'node', '--typeRoots']
  const strict = ['--strict', '--skipLibCheck', ...library, resolve('node_modules/@types')]
  return {
    setup,
    files: { ...kind(type), 'main.ts': modules + typed },
    commands: [
      [...node, compiler, 'main.ts', ...strict, ...options],
      [...node, 'main.js'],
    ],
    prints: 'active 2500',
  }
}
