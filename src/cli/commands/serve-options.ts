/** The options of `serve`, and those that `exec` shares with it. */
import type { Command } from 'commander'
import { HOST_RULE, isHost } from '../../http/guard.ts'
import { conventionalFixture } from '../../server/fixture-choice.ts'
import type { StartOptions } from '../../server/start.ts'
import { instantAt, parseDuration } from '../../time/instant.ts'
import { InstantIn } from '../../wire/common/fields.ts'
import { CLOCK_MAX } from '../../world/advance.ts'
import {
  addLockOption,
  addReaders,
  addVariableOptions,
  choice,
  controlTokenOption,
  createReader,
  readControlToken,
} from '../terminal/usage.ts'

export interface ServeValues
  extends WorldValues,
    Pick<StartOptions, 'port' | 'host' | 'durability' | 'lock' | 'examples'> {
  readonly data: string
  readonly quiet?: boolean
  readonly verbose?: boolean
  readonly allowHost?: readonly string[]
  readonly allowOrigin?: readonly string[]
  readonly controlToken?: string
  readonly expire?: number
}

export interface WorldValues extends Partial<Pick<StartOptions, 'clockStart' | 'running'>> {
  readonly fixture?: string
  readonly settings?: string
  readonly deviation?: string
  readonly allowWebhookHost?: readonly string[]
}

export function addServerOptions(command: Command): Command {
  addVariableOptions(command, {
    '--port <number>': ['the TCP port to listen on; 0 picks a free one', '4010'],
    '--host <address>': ['the IP address or host name to listen on', '127.0.0.1'],
    '--data <folder>': ['the folder that stores the sandboxes, or memory to store nothing', 'data'],
    '--durability <when>': [
      'when a change is answered: commit (after it is on disk) or batch (at once; on disk within 50 ms)',
      'commit',
    ],
  })
  addVariableOptions(addReaders(addLockOption(command), readers), {
    '--examples':
      'create the sandbox examples again, with all records that the OpenAPI documents name',
    '--quiet': 'log no line for each request',
    '--verbose': 'log a line for each request, with both bodies',
    '--allow-host <name>': 'another host name that requests may use; may be repeated',
    '--allow-origin <origin>':
      'an origin whose web pages may call the server, such as http://localhost:3000; may be repeated',
  })
  const secret =
    'a secret that calls of the control plane must send in the header Sandbox-Control-Token'
  return addVariableOptions(command.addOption(controlTokenOption(secret)), {
    '--expire <duration>':
      'delete a sandbox, except default, after this ISO 8601 duration without a request, such as PT2H (default: never)',
  })
}

export function addWorldOptions(command: Command): Command {
  const own = { clockStart: readStart, allowWebhookHost: readHost }
  return addVariableOptions(addReaders(command, own), {
    '--fixture <fixture>':
      'the initial data: starter, empty, dunning, calendar-hazards, a file or a folder (default: sandbox.fixture.yaml here, else starter)',
    '--clock-start <instant>':
      'the initial virtual time: an ISO 8601 instant, a date, or now (default: that of the fixture)',
    '--settings <file>':
      'the initial settings of every new sandbox: a YAML file, or stripe-like, chargebee-like or recurly-like',
    '--deviation <name>': 'what the service does differently: a cell of exec --matrix',
    '--running': 'let the virtual clock follow real time (default: it moves on request only)',
    '--allow-webhook-host <name>':
      'another host that webhooks may be sent to, besides this machine; may be repeated',
  })
}

/** What the server starts with. Throws `UsageError` for a control token, and `StartRefused` for several fixtures. */
export async function startOptionsOf(values: ServeValues) {
  const { port, host, durability, lock, examples = false, data, expire = null } = values
  return {
    ...{ port, host, durability, lock, examples, expireMs: expire },
    ...(await worldOptionsOf(values)),
    folder: data === 'memory' ? null : data,
    allowedHosts: values.allowHost ?? [],
    allowedOrigins: values.allowOrigin ?? [],
    controlToken: readControlToken(values.controlToken),
  } satisfies Partial<StartOptions>
}

/** What a new sandbox begins with. The fixture of the working folder is used by convention if none is named. */
export async function worldOptionsOf(values: WorldValues) {
  const { clockStart = null, running = false, allowWebhookHost = [] } = values
  const fixture = values.fixture ?? (await conventionalFixture())
  return {
    ...{ fixture, clockStart, running, allowedWebhookHosts: allowWebhookHost },
    settingsFile: values.settings ?? null,
    ...(values.deviation !== undefined && { deviation: values.deviation }),
  }
}

const readHost = createReader(HOST_RULE, (text) => (isHost(text) ? text : undefined))

const readStart = createReader(
  'an instant from 1970 to before the year 9000 such as 2027-01-31T10:00:00Z, a date, or now',
  (text) => {
    const start = text === 'now' ? instantAt(Date.now()) : InstantIn.safeParse(text).data
    return start !== undefined && start <= CLOCK_MAX ? start : undefined
  },
)

export const readPort = createReader('an integer from 0 to 65535', (text) =>
  /^\d+$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined,
)

const readers = {
  port: readPort,
  host: readHost,
  data: createReader('a folder, or memory', (text) => text || undefined),
  durability: choice('commit', 'batch'),
  allowHost: readHost,
  /** As browsers send it. */
  allowOrigin: createReader('an origin such as http://localhost:3000, without a path', (text) => {
    const origin = text.toLowerCase()
    const isUrl = /^https?:/.test(origin) && URL.canParse(origin)
    return isUrl && new URL(origin).origin === origin ? origin : undefined
  }),
  /** In milliseconds. In less than a minute sandboxes would be deleted between two calls of a test. */
  expire: createReader(
    'an ISO 8601 duration of at least a minute, without years and months, such as PT2H',
    (text) => {
      const { months = 0, millis = 0 } = parseDuration(text) ?? {}
      return months === 0 && millis >= 60_000 && Number.isSafeInteger(millis) ? millis : undefined
    },
  ),
}
