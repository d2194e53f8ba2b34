/** The options of `serve`: what there are, and how they are read. */
import { isIP } from 'node:net'
import type { Command } from 'commander'
import { isRefusal } from '../billing/refusal.ts'
import { conventionalFixture } from '../server/fixture-choice.ts'
import { type StartOptions, StartRefused } from '../server/start.ts'
import { type Instant, instantAt, parseDuration } from '../time/instant.ts'
import { InstantIn } from '../wire/fields.ts'
import {
  controlTokenOption,
  listed,
  lockModes,
  nameOf,
  readChoice,
  readControlToken,
  UsageError,
  variableOption,
} from './usage.ts'

/** What was said of each option. */
export interface ServeValues extends WorldValues {
  readonly port: string
  readonly host: string
  readonly data: string
  readonly durability: string
  readonly lock: string
  readonly examples?: boolean
  readonly quiet?: boolean
  readonly verbose?: boolean
  readonly allowHost?: readonly string[]
  readonly allowOrigin?: readonly string[]
  readonly controlToken?: string
  readonly expire?: string
}

/** What was said of the world that a new sandbox begins with. */
export interface WorldValues {
  readonly fixture?: string
  readonly clockStart?: string
  readonly running?: boolean
  readonly allowWebhookHost?: readonly string[]
}

/** Options with a value: what it is called, what it is, and what it is by default. */
const valued: readonly (readonly [flags: string, description: string, byDefault: string])[] = [
  ['--host <address>', 'the address to listen at', '127.0.0.1'],
  ['--data <folder>', 'where sandboxes are kept; memory keeps nothing', 'data'],
  ['--durability <when>', 'when a change counts: commit (on disk) or batch', 'commit'],
  ['--lock <by>', 'what keeps other processes out: kernel or none', 'kernel'],
]

/** Adds the options of a server. */
export function addServerOptions(command: Command): Command {
  const port = variableOption('--port <number>', 'where to listen; 0 picks a free port', 'PORT')
  const host = '--allow-host <name>'
  const origin = '--allow-origin <origin>'
  command.addOption(port.default('4010'))
  for (const [flags, description, byDefault] of valued) {
    command.addOption(variableOption(flags, description).default(byDefault))
  }
  return command
    .addOption(variableOption('--examples', 'make the sandboxes that the OpenAPI documents name'))
    .addOption(variableOption('--quiet', 'no line for each request'))
    .addOption(variableOption('--verbose', 'a line for each request, and the bodies'))
    .addOption(listed(variableOption(host, 'a further name of the server', 'ALLOW_HOSTS')))
    .addOption(listed(variableOption(origin, 'web pages that may use it', 'ALLOW_ORIGINS')))
    .addOption(controlTokenOption('what calls of the control plane must carry'))
    .addOption(variableOption('--expire <duration>', 'delete sandboxes unused for so long'))
}

/** Adds the options of what a new sandbox begins with. */
export function addWorldOptions(command: Command): Command {
  const start = 'where its clock starts: an instant, a date or now'
  const webhooks = variableOption('--allow-webhook-host <name>', 'where webhooks may be as well')
  return command
    .addOption(
      variableOption(
        '--fixture <fixture>',
        'a name, file or folder to begin with (default: starter)',
      ),
    )
    .addOption(variableOption('--clock-start <instant>', start))
    .addOption(variableOption('--running', 'have the clock follow real time'))
    .addOption(listed(webhooks))
}

/** Reads the options of a server. Throws `UsageError`, with the name of the option or of its variable. */
export function readServerOptions(command: Command, values: ServeValues) {
  const name = (attribute: keyof ServeValues) => nameOf(command, attribute)
  const origins = values.allowOrigin ?? []
  return {
    host: readHost(name('host'), values.host),
    allowedHosts: readHosts(name('allowHost'), values.allowHost),
    allowedOrigins: origins.map((text) => readOrigin(name('allowOrigin'), text)),
    controlToken: readControlToken(values.controlToken),
    expireMs: readExpire(name('expire'), values.expire),
    port: readPort(name('port'), values.port),
    folder: readFolder(name('data'), values.data),
    durability: readChoice(name('durability'), values.durability, ['commit', 'batch']),
    lock: readChoice(name('lock'), values.lock, lockModes),
    examples: values.examples ?? false,
    ...readWorldOptions(command, values),
  } satisfies Partial<StartOptions>
}

/** Reads the options of what a new sandbox begins with. Throws `UsageError` as above. */
export function readWorldOptions(command: Command, values: WorldValues) {
  return {
    fixture: values.fixture ?? null,
    clockStart: readInstant(nameOf(command, 'clockStart'), values.clockStart),
    running: values.running ?? false,
    allowedWebhookHosts: readHosts(nameOf(command, 'allowWebhookHost'), values.allowWebhookHost),
  } satisfies Partial<StartOptions>
}

/** The file that is used by convention where no fixture is named. */
export async function readConvention(): Promise<string | null> {
  const found = await conventionalFixture()
  if (isRefusal(found)) throw new StartRefused(found.message)
  return found
}

function readPort(name: string, text: string): number {
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65_535) return port
  throw new UsageError(`${name} must be an integer from 0 to 65535; got "${text}".`)
}

/** Where sandboxes are kept; null for in memory. */
function readFolder(name: string, text: string): string | null {
  if (text !== '') return text === 'memory' ? null : text
  throw new UsageError(`${name} must be a folder, or memory; got "".`)
}

function readHosts(name: string, texts: readonly string[] = []): readonly string[] {
  return texts.map((text) => readHost(name, text))
}

/** A name that ends with a number is meant for an address. */
function readHost(name: string, text: string): string {
  const isName = /^[a-z0-9_-]+(\.[a-z0-9_-]+)*\.?$/i.test(text) && !/(^|\.)\d+\.?$/.test(text)
  if (isName || isIP(text.replace(/^\[(.*)\]$/, '$1')) !== 0) return text
  throw new UsageError(
    `${name} must be a host name or an IP address, without a port; got "${text}".`,
  )
}

/** An origin as browsers send it. */
function readOrigin(name: string, text: string): string {
  const origin = text.toLowerCase()
  if (/^https?:/.test(origin) && URL.canParse(origin) && new URL(origin).origin === origin) {
    return origin
  }
  throw new UsageError(
    `${name} must be an origin such as http://localhost:3000, without a path; got "${text}".`,
  )
}

/** Shorter, and sandboxes would go between two calls of a test. */
const EXPIRE_MIN_MS = 60_000

function readExpire(name: string, text: string | undefined): number | null {
  if (text === undefined) return null
  const { months = 0, millis = 0 } = parseDuration(text) ?? {}
  if (months === 0 && millis >= EXPIRE_MIN_MS && Number.isSafeInteger(millis)) return millis
  throw new UsageError(
    `${name} must be an ISO 8601 duration of at least a minute, without years and months, such as PT2H; got "${text}".`,
  )
}

function readInstant(name: string, text: string | undefined): Instant | null {
  if (text === undefined) return null
  if (text === 'now') return instantAt(Date.now())
  const read = InstantIn.safeParse(text)
  if (read.success) return read.data
  throw new UsageError(
    `${name} must be an instant such as 2027-01-31T10:00:00Z, a date, or now; got "${text}".`,
  )
}
