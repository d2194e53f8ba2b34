/**
 * `npm run schemathesis`: has schemathesis call a sandbox with what both documents allow and what they forbid, by all
 * checks and phases. Installs the tool into an environment of its own, and starts a sandbox for each document. Ends with 1
 * where anything was found.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { start } from '../src/server/start.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '11' },
    /** How many requests are made up for each operation, beside those that its schema alone suggests. */
    examples: { type: 'string', default: '20' },
  },
})
const folder = resolve('node_modules/.cache/schemathesis')
const config = resolve('scripts/schemathesis.toml')
mkdirSync(folder, { recursive: true })
for (const [program, ...args] of [
  ['python3', '-m', 'venv', folder],
  [`${folder}/bin/python`, '-m', 'pip', 'install', '--quiet', 'schemathesis==4.32.5'],
] as const) {
  const { status } = spawnSync(program, args, { stdio: 'inherit' })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}.`)
}

for (const path of ['/openapi.json', '/sandbox/openapi.json']) {
  const sandbox = await start({
    host: '127.0.0.1',
    allowedHosts: [],
    port: 0,
    folder: null,
    durability: 'batch',
    lock: 'kernel',
    fixture: null,
    clockStart: null,
    running: false,
    examples: true,
    log: (line) => console.error(line),
  })
  const args = [
    ...['--config-file', config, 'run', `${sandbox.url}${path}`, '--url', sandbox.url],
    ...['--header', 'Authorization: Bearer sk_sandbox_examples', '--checks', 'all'],
    ...['--phases', 'examples,coverage,fuzzing,stateful', '--continue-on-failure'],
    // Without a limit of time: with one, the tool goes on with new requests until it is over.
    ...['--seed', values.seed, '--max-examples', values.examples],
    // What one run found must not be where the next one begins.
    ...['--generation-database', 'none'],
  ]
  const run = spawn(`${folder}/bin/schemathesis`, args, { stdio: 'inherit', cwd: folder })
  const [status] = (await once(run, 'exit')) as [number | null]
  if (status !== 0) process.exitCode = 1
  await sandbox.close()
}
