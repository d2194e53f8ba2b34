/** `serve`: runs the sandbox until a signal stops it. */
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { isRefusal } from '../billing/refusal.ts'
import { CONTROL_TOKEN_HEADER } from '../http/control-token.ts'
import { conventionalFixture } from '../server/fixture-choice.ts'
import { type Started, type StartOptions, StartRefused, start } from '../server/start.ts'
import { FolderRefused, StoreError } from '../store/store.ts'
import { type Instant, instantAt, parseDuration } from '../time/instant.ts'
import { InstantIn } from '../wire/fields.ts'
import { type LogDetail, processLog } from './log.ts'
import { lockModes, readChoice, readControlToken, readOptions, UsageError } from './usage.ts'

/** How often it is looked whether the npm that started this is still there. */
const PARENT_CHECK_MS = 200

/** Runs the sandbox, prints how to reach it, and stops on SIGTERM or SIGINT. */
export async function serve(args: string[]): Promise<void> {
  const options = readOptions(args, {
    port: { type: 'string', default: process.env['PORT'] ?? '4010' },
    host: { type: 'string', default: '127.0.0.1' },
    data: { type: 'string', default: 'data' },
    durability: { type: 'string', default: 'commit' },
    lock: { type: 'string', default: 'kernel' },
    fixture: { type: 'string' },
    'clock-start': { type: 'string' },
    running: { type: 'boolean', default: false },
    examples: { type: 'boolean', default: false },
    quiet: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
    'allow-webhook-host': { type: 'string', multiple: true, default: [] },
    'allow-host': { type: 'string', multiple: true, default: listed(process.env['ALLOW_HOSTS']) },
    'allow-origin': {
      type: 'string',
      multiple: true,
      default: listed(process.env['ALLOW_ORIGINS']),
    },
    'control-token': { type: 'string' },
    expire: { type: 'string' },
  })
  const log = processLog(detailOf(options), process.stderr)
  const controlToken = readControlToken(options['control-token'])
  const started = await startOrPoint({
    host: options.host,
    allowedHosts: options['allow-host'],
    allowedOrigins: options['allow-origin'].map(readOrigin),
    controlToken,
    expireMs: readExpire(options.expire),
    allowedWebhookHosts: options['allow-webhook-host'],
    port: readPort(options.port),
    folder: options.data === 'memory' ? null : options.data,
    durability: readChoice('--durability', options.durability, ['commit', 'batch']),
    lock: readChoice('--lock', options.lock, lockModes),
    fixture: options.fixture ?? (await readConvention()),
    clockStart: readInstant(options['clock-start']),
    running: options.running,
    examples: options.examples,
    log: log.warn,
    observer: log.observer,
  })
  // Before the banner: a program that waits for it may send its signal at once.
  const stopped = Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT'), npmGone()])
  process.stdout.write(
    banner(started, options.data, controlToken === null ? [] : [tokenAsVariable]),
  )
  await stopped
  await started.close()
  // What nobody reads would keep the process alive.
  if (!(await log.end())) process.exit()
}

/** How much is logged. Throws `UsageError` for both at once. */
function detailOf({ quiet, verbose }: Record<'quiet' | 'verbose', boolean>): LogDetail {
  if (quiet && verbose) throw new UsageError('--quiet and --verbose exclude each other.')
  if (verbose) return 'bodies'
  return quiet ? 'quiet' : 'lines'
}

/** Starts; where what the folder holds cannot be used, the failure says how to find out what can be saved of it. */
async function startOrPoint(options: StartOptions): Promise<Started> {
  try {
    return await start(options)
  } catch (error) {
    const isDamaged = error instanceof StoreError && !(error instanceof FolderRefused)
    if (!isDamaged) throw error
    throw new StoreError(
      `${error.message}\nNothing was changed. What can be saved: subscription-sandbox doctor --data ${options.folder}`,
    )
  }
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

/** The file that is used by convention where no fixture is named. */
async function readConvention(): Promise<string | null> {
  const found = await conventionalFixture()
  if (isRefusal(found)) throw new StartRefused(found.message)
  return found
}

/** What a newcomer needs to know, in under ten lines. The first line is stable: tools wait for it. */
function banner(
  { url: listening, registry, fixture }: Started,
  folder: string,
  controlHeaders: readonly string[],
): string {
  // Every address is no address: from this machine it is reached at loopback.
  const url = listening.replace(/\/\/(0\.0\.0\.0|\[::\])/, '//127.0.0.1')
  const { apiKey } = registry.default
  const control = controlHeaders.map((header) => ` -H ${header}`).join('')
  const key = `-H 'Authorization: Bearer ${apiKey}'`
  return `subscription-sandbox is ready at ${url}
API key ${apiKey}   virtual now ${registry.default.now()}   data ${folder}   reference ${url}/docs${fixtureLine(fixture)}
Try, in this order:
  curl ${url}/v1/subscriptions ${key} -d customer_id=cus_ada -d plan=pro -d trial_period_days=14
  curl ${url}/sandbox/clock/advance --json '{"by":"P45D"}'${control}
  curl ${url}/sandbox/invoices${control}
`
}

/** Which file the fixture came from. */
function fixtureLine({ name, file }: Started['fixture']): string {
  return file === null ? '' : `\nFixture ${name}   from ${file}`
}

/** A list in an environment variable: names between commas. */
function listed(text: string | undefined): string[] {
  return (text ?? '').split(',').filter((name) => name !== '')
}

function readPort(text: string): number {
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65_535) return port
  throw new UsageError(`--port must be an integer from 0 to 65535; got "${text}".`)
}

/** An origin as browsers send it. */
function readOrigin(text: string): string {
  const origin = text.toLowerCase()
  if (/^https?:/.test(origin) && URL.canParse(origin) && new URL(origin).origin === origin) {
    return origin
  }
  throw new UsageError(
    `--allow-origin must be an origin such as http://localhost:3000, without a path; got "${text}".`,
  )
}

/** Shorter, and sandboxes would go between two calls of a test. */
const EXPIRE_MIN_MS = 60_000

function readExpire(text: string | undefined): number | null {
  if (text === undefined) return null
  const { months = 0, millis = 0 } = parseDuration(text) ?? {}
  if (months === 0 && millis >= EXPIRE_MIN_MS && Number.isSafeInteger(millis)) return millis
  throw new UsageError(
    `--expire must be an ISO 8601 duration of at least a minute, without years and months, such as PT2H; got "${text}".`,
  )
}

function readInstant(text: string | undefined): Instant | null {
  if (text === undefined) return null
  if (text === 'now') return instantAt(Date.now())
  const read = InstantIn.safeParse(text)
  if (read.success) return read.data
  throw new UsageError(
    `--clock-start must be an instant such as 2027-01-31T10:00:00Z, a date, or now; got "${text}".`,
  )
}
