/** Starting: puts store, sandboxes and server together. Every way to run the product goes through here. */
import { hostname } from 'node:os'
import type { Settings } from '../assumptions/register.ts'
import { isRefusal } from '../billing/refusal.ts'
import { tokenHeader } from '../headers.ts'
import type { Deviation } from '../http/request/deviation.ts'
import { deviatingFixtures } from '../sandbox/deviating-fixtures.ts'
import { expireUnused } from '../sandbox/expiry.ts'
import { Receivers } from '../sandbox/receivers.ts'
import { DEFAULT_SANDBOX, Registry, SANDBOXES_MAX } from '../sandbox/registry.ts'
import { realTime } from '../sandbox/running-clock.ts'
import { folderStore } from '../store/folder-store.ts'
import type { LockMode } from '../store/lock.ts'
import { memoryStore } from '../store/memory-store.ts'
import { type Durability, FolderRefused, type Store } from '../store/store.ts'
import { RefusalError } from '../surface/refusals.ts'
import type { Instant } from '../time/instant.ts'
import type { Refusal } from '../world/refusal.ts'
import { type AppOptions, createApp } from './app.ts'
import { chooseFixture, type FixtureChoice, StartRefused } from './fixture-choice.ts'
import { listen } from './listen.ts'

export interface StartOptions extends Pick<AppOptions, 'controlToken' | 'observer' | 'onCall'> {
  /** What the service does differently; as a text, the name of a cell of `exec --matrix`. */
  readonly deviation?: AppOptions['deviation'] | string
  readonly host: string
  /** Names that requests may come under beside localhost and the host itself. */
  readonly allowedHosts: readonly string[]
  /** Origins of web pages that may use /v1 and the control plane. */
  readonly allowedOrigins?: readonly string[]
  /** After how many milliseconds sandboxes are deleted that no request used; null for never. */
  readonly expireMs?: number | null
  /** Where webhooks may be, beside this machine. */
  readonly allowedWebhookHosts?: readonly string[]
  /** 0 picks a free port. */
  readonly port: number
  /** The folder that keeps the sandboxes; null keeps nothing beyond the process. */
  readonly folder: string | null
  /** When a change counts as committed. */
  readonly durability: Durability
  /** Who keeps other processes from the folder. */
  readonly lock: LockMode
  /**
   * What the default sandbox begins with, when the folder holds none yet: a fixture that comes with the product, or a
   * file or folder of the user; null for `starter`.
   */
  readonly fixture: string | null
  /** Null for the fixture's own start. */
  readonly clockStart: Instant | null
  /** Whether the clock of the default sandbox runs. */
  readonly running: boolean
  /** Those of the default sandbox. */
  readonly settings?: Partial<Settings>
  /** A file of settings that every new sandbox begins with; null for none. */
  readonly settingsFile?: string | null
  /** Whether the sandboxes of the examples are made, again if they exist. */
  readonly examples?: boolean
  /** Where defects and warnings are logged. */
  readonly log: (line: string) => void
}

export type Started = Readonly<Awaited<ReturnType<typeof startOn>>>

/** A server of this process alone, whose sandboxes are in memory; its warnings go to the error output. */
const inMemory: StartOptions = {
  host: '127.0.0.1',
  allowedHosts: [],
  port: 0,
  folder: null,
  durability: 'commit',
  lock: 'kernel',
  fixture: null,
  clockStart: null,
  running: false,
  log: (line) => process.stderr.write(`${line}\n`),
}

/**
 * Starts the sandbox, in memory and on a free port if options say nothing else. Rejects with `StoreError` for data that
 * cannot be used, and when the port is taken.
 */
export async function start(given: Partial<StartOptions> = {}): Promise<Started> {
  const options = { ...inMemory, ...given }
  const { folder, durability, lock, log } = options
  const store =
    folder === null ? memoryStore() : await folderStore(folder, { durability, lock, warn: log })
  try {
    return await startOn(store, options)
  } catch (error) {
    // A repair must not find the folder locked.
    await store.close()
    throw error
  }
}

/** What every new sandbox begins with. */
async function settingsOf({ settingsFile }: StartOptions): Promise<Partial<Settings> | Refusal> {
  if (typeof settingsFile !== 'string') return {}
  // Loaded only here: most starts do without the reader of YAML.
  const { readSettings } = await import('./settings-file.ts')
  return readSettings(settingsFile)
}

async function deviationOf({ deviation, clockStart }: StartOptions, choice: FixtureChoice) {
  if (typeof deviation !== 'string') return deviation
  // Loaded only here: most starts do without the rows.
  const { deviationNamed } = await import('../http/deviations.ts')
  const instants = [...choice.library.values()].flatMap(({ now, history }) => [
    ...[clockStart ?? now, now],
    ...history.flatMap(({ at }) => at ?? []),
  ])
  const found = deviationNamed(deviation, instants.sort().at(-1) as Instant)
  if (isRefusal(found)) throw new StartRefused(found.message)
  return found
}

async function startOn(store: Store, options: StartOptions) {
  const { host, port, running, controlToken = null, expireMs = null, log } = options
  const choice = await chooseFixture(options.fixture)
  if (isRefusal(choice)) throw new StartRefused(choice.message)
  const common = await settingsOf(options)
  if (isRefusal(common)) throw new StartRefused(common.message)
  const deviation = await deviationOf(options, choice)
  const found = await store.list()
  const isThere = found.includes(DEFAULT_SANDBOX)
  if (isThere) for (const line of unusedStart(options, choice, deviation)) log(line)
  const registry = await Registry.open(
    {
      store,
      fixtures: deviatingFixtures(choice.library, deviation),
      sandboxesMax: SANDBOXES_MAX,
      time: realTime,
      webhooks: { receivers: new Receivers(options.allowedWebhookHosts) },
      settings: common,
      report: (defect) => log(defect instanceof Error ? `${defect.stack}` : String(defect)),
    },
    {
      fixture: choice.name,
      now: options.clockStart,
      startsRunning: running,
      settings: options.settings ?? {},
      from: null,
    },
  )
  if (isRefusal(registry)) {
    const Failure = registry.refused === 'storage_unavailable' ? FolderRefused : StartRefused
    throw new Failure(registry.message)
  }
  // A machine's own name is no other's to point here; in a container it is what others know it by.
  const hosts = [host, hostname(), ...options.allowedHosts]
  const { allowedOrigins: origins = [], observer, onCall } = options
  const given = { hosts, origins, controlToken, observer, onCall, deviation }
  const app = createApp(registry, log, given)
  if (options.examples === true) {
    const { makeExamples } = await import('./examples.ts')
    await makeExamples(app, registry, tokenHeader(controlToken)).catch((error: Error) => {
      throw error instanceof RefusalError ? new StartRefused(error.message) : error
    })
  }
  const listener = await listen(app, { host, port }).catch(async (error) => {
    // The next start begins with what it asks for, and not with what nobody has used.
    if (!isThere) {
      await registry.default.close('removal')
      await store.remove(DEFAULT_SANDBOX)
    }
    throw error
  })
  // Only now: a start that fails leaves a stored clock as it is.
  if (running) {
    const none = () => null
    const set = await registry.default.clock.set({ now: null, mode: 'running' }, none, none)
    if (isRefusal(set)) log(`The clock does not run. ${set.message}`)
  }
  const loaded = registry.loadUndelivered().catch((error: Error) => log(`${error.stack}`))
  const expiry =
    expireMs === null ? null : expireUnused(registry, { time: realTime, expireMs, log })
  return {
    url: listener.url,
    /** What the default sandbox just began with, if that was requested; `file` is null for one that comes with us. */
    fixture: isThere ? { name: null, file: null } : choice,
    registry,
    /** Answers a request of this process, without a socket. */
    answer: (request: Request) => app.fetch(request),
    /** How many sandboxes the store held already. */
    sandboxesFound: found.length,
    /** Stops taking calls, lets those under way finish, and keeps what they changed. */
    close: async () => {
      expiry?.stop()
      registry.stop()
      await listener.close()
      await loaded
      await registry.close()
    },
  }
}

/** What the default sandbox was to begin with and does not, because it is there already: a line for each. */
function unusedStart(
  { clockStart, settings = {}, settingsFile = null }: StartOptions,
  { name, file }: FixtureChoice,
  { name: cell, vary, now }: Partial<Deviation> = {},
): string[] {
  const again = `To begin again from it, POST {"fixture":"${name}"} to /sandbox/reset`
  const rows = [
    [name !== null, `The fixture "${file ?? name}" is`, again],
    [clockStart !== null, `The start ${clockStart} is`, 'Move its clock'],
    [Object.keys(settings).length > 0, 'The settings are', 'PATCH /sandbox/settings'],
    [settingsFile, 'Except by new sandboxes, the settings are', 'PATCH /sandbox/settings'],
    [vary ?? now, `Except by new sandboxes, the deviation ${cell} is`, 'Create a sandbox'],
  ] as const
  const why = 'not used: the data folder already has a sandbox'
  const asked = rows.filter(([isAsked]) => isAsked)
  return asked.map(([, what, instead]) => `${what} ${why}. ${instead}, or choose another folder.`)
}
