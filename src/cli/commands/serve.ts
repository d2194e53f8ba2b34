/** `serve`: runs the sandbox until a signal stops it. */
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { Command } from 'commander'
import { reasonOf } from '../../contracts/common/failure.ts'
import { CONTROL_TOKEN_HEADER } from '../../headers.ts'
import { type Started, type StartOptions, start } from '../../server/start.ts'
import { FolderRefused, StoreError } from '../../store/store.ts'
import { countText, typedWord } from '../../wire/common/text.ts'
import { holdMeter, longHoldText } from '../../world/hold-meter.ts'
import { exitAs } from '../terminal/stoppable.ts'
import {
  addExamples,
  CannotRun,
  type Configure,
  misspelledVariables,
  nameOf,
  UsageError,
} from '../terminal/usage.ts'
import { type LogDetail, processLog } from './log.ts'
import {
  addServerOptions,
  addWorldOptions,
  type ServeValues,
  startOptionsOf,
} from './serve-options.ts'

/** How often it is looked whether the npm that started this is still there. */
const PARENT_CHECK_MS = 200

const USUAL_PORT = 4010

export const serveCommand: Configure = (command) => {
  addExamples(
    addWorldOptions(addServerOptions(command)),
    'serve',
    'serve --port 0 --data memory',
    'serve --fixture dunning --clock-start 2027-01-31',
    'serve --host 0.0.0.0 --allow-host sandbox.test',
  ).action((values: ServeValues) => run(command, values))
}

/** Runs the sandbox, prints how to reach it, and stops on SIGTERM or SIGINT. */
async function run(command: Command, values: ServeValues): Promise<void> {
  const log = processLog(detailOf(command, values), process.stderr)
  misspelledVariables(command).forEach(log.warn)
  const options = await startOptionsOf(values)
  const { warn, observer } = log
  const started = await startListening(options, () => start({ ...options, log: warn, observer }))
  // Before the banner: a program that waits for it may send its signal at once.
  const stopped = Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT'), npmGone()])
  const control = options.controlToken === null ? '' : ` -H ${tokenAsVariable}`
  process.stdout.write(await banner(started, values.data, control))
  if (options.port > 0 && options.port !== USUAL_PORT) void warnIfBlocked(started.url, warn)
  holdMeter.start((hold) => warn(longHoldText(hold)))
  await stopped
  await started.close()
  // What nobody reads would keep the process alive.
  if (!(await log.end())) process.exit()
}

/** Says that a port is one of those that fetch and browsers block, and other programs reach. */
async function warnIfBlocked(url: string, warn: (line: string) => void): Promise<void> {
  const signal = AbortSignal.timeout(1000)
  const failure = await fetch(`${url}/health/live`, { signal }).then(() => null, reasonOf)
  if (failure?.includes('bad port')) {
    warn(`fetch and browsers block the port of ${url}; choose another one, such as ${USUAL_PORT}.`)
  }
}

/** How much is logged. Throws `UsageError` for both at once. */
function detailOf(command: Command, { quiet, verbose }: ServeValues): LogDetail {
  if (quiet && verbose) {
    const both = `${nameOf(command, 'quiet')} and ${nameOf(command, 'verbose')}`
    throw new UsageError(`${both} exclude each other.`)
  }
  if (verbose) return 'bodies'
  return quiet ? 'quiet' : 'lines'
}

type ListenTarget = Pick<StartOptions, 'host' | 'port' | 'folder'>

/** Starts what listens, which a signal ends meanwhile; what it cannot use is rejected with advice. */
export async function startListening<Listening>(
  target: ListenTarget,
  begin: () => Promise<Listening>,
): Promise<Listening> {
  // The first process of a container ignores what it has no handler for.
  process.on('SIGTERM', exitAs).on('SIGINT', exitAs)
  const started = await begin().catch((error: Error) => {
    throw adviceFor(error, target)
  })
  process.off('SIGTERM', exitAs).off('SIGINT', exitAs)
  return started
}

/** What to do about a failure to start, such as for a folder that cannot be used. */
function adviceFor(error: NodeJS.ErrnoException, { host, port, folder }: ListenTarget): Error {
  const { code = '', message } = error
  if (code === 'EADDRINUSE') {
    const other = port === 65_535 ? port - 1 : port + 1
    return new CannotRun(
      `Port ${port} of ${host} is in use, perhaps by a sandbox that was started before. Stop that, or choose another port: --port ${other}, or --port 0 for a free one.`,
    )
  }
  if (/^(ENOTFOUND|EAI_AGAIN|EADDRNOTAVAIL)$/.test(code)) {
    return new CannotRun(
      `--host must be an address of this machine, such as 127.0.0.1, or 0.0.0.0 for all of them; got "${host}".`,
    )
  }
  if (!(error instanceof StoreError) || error instanceof FolderRefused) return error
  return new StoreError(
    `${message}\nNothing was changed. What can be saved: npx subscription-sandbox doctor --data ${typedWord(folder ?? '')}`,
  )
}

/**
 * Resolves when the npm that started this has ended; never where none did. npm hands a signal to its shell only, and
 * the shell dies of it without passing it on.
 */
async function npmGone(): Promise<void> {
  const { ppid } = process
  const isUnderNpm = process.env['npm_lifecycle_event'] !== undefined
  while (!isUnderNpm || process.ppid === ppid) await pause(PARENT_CHECK_MS, null, { ref: false })
}

/** The control token is printed nowhere: the shell has it. */
const tokenAsVariable = `"${CONTROL_TOKEN_HEADER}: $SANDBOX_CONTROL_TOKEN"`

/** What a newcomer needs to know, in ten lines. The first line is stable: tools wait for it. */
async function banner(
  { url: listening, registry, fixture, sandboxesFound }: Started,
  folder: string,
  control: string,
): Promise<string> {
  // Every address is no address: from this machine it is reached at loopback.
  const url = listening.replace(/\/\/(0\.0\.0\.0|\[::\])/, '//127.0.0.1')
  const { apiKey } = registry.default
  const key = `-H 'Authorization: Bearer ${apiKey}'`
  const order = await exampleOrder(registry)
  const subscribe = order && `\n  curl ${url}/v1/subscriptions \\\n    ${key} \\\n    ${order}`
  const sandboxes = countText(sandboxesFound, 'sandbox', 'sandboxes')
  const found = sandboxesFound === 0 ? '' : `, continues with its ${sandboxes}`
  const source = fixture.file === null ? '' : `\nFixture ${fixture.name}   from ${fixture.file}`
  return `subscription-sandbox is ready at ${url}
API key ${apiKey}   virtual now ${registry.default.now()}
dashboard ${url}/dashboard   reference ${url}/docs
data ${folder}${found}${source}
Try, in this order:${subscribe}
  curl ${url}/sandbox/clock/advance --json '{"by":"P45D"}'${control}
  curl ${url}/sandbox/invoices${control}
`
}

/** Who can subscribe to what, as a form: as in the guides if the fixture has them; empty if it has nobody. */
function exampleOrder(registry: Started['registry']): Promise<string> {
  return registry.default.read(({ customers, plans }) => {
    const [customer] = customers.has('cus_ada') ? ['cus_ada'] : customers.keys()
    const [plan] = plans.has('pro') ? ['pro'] : plans.keys()
    if (customer === undefined || plan === undefined) return ''
    return `-d customer_id=${customer} -d plan=${plan} -d trial_period_days=14`
  })
}
