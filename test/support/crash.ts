/**
 * Crashing: a real process under load, killed at a random moment, and what must be true of the one after it. Used by
 * the tests and by `npm run crash`.
 */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { listSandboxes, sandboxFolder } from '../../src/store/folder-store.ts'
import { type Chance, chanceOf, seedFrom } from './chance.ts'
import { call, untilKilled } from './crash-call.ts'
import { type Crowd, openCrowd } from './crash-crowd.ts'
import { type History, openHistory } from './crash-history.ts'
import type { OperationName } from './crash-operations.ts'
import { mustBeSound, type Traces, tracesIn } from './crash-traces.ts'
import { temporaryFolder } from './folders.ts'
import { type Served, serve } from './process.ts'

/** How the rounds are run. The seed decides what is called and when it is killed, but not how far a process gets. */
export interface CrashOptions {
  readonly rounds: number
  readonly seed: number
  /** How many folders are worked on at once, each by a process of its own. */
  readonly lanes: number
  readonly onRound?: (done: number) => void
}

/** What the rounds came to. */
export interface CrashTally extends Traces {
  readonly acknowledged: number
  readonly folders: number
  /** Kills that cut off a call, by what was called. */
  readonly cutOff: Partial<Record<OperationName, number>>
}

/**
 * After so many rounds a folder is given up for the next: what it holds would take ever longer to start on and to
 * compare, until there is hardly any load between two kills. Every second one begins with a journal that is about to
 * be folded, and is loaded for long enough that some folds are cut off and some are not.
 */
const kinds = [
  { rounds: 8, isGrown: false, loadMsMax: 250 },
  { rounds: 3, isGrown: true, loadMsMax: 1000 },
] as const
type Kind = (typeof kinds)[number]

const HISTORIES = 3

/** Loads, kills and starts again, so many times. Answers what was acknowledged; throws on the first change that is gone. */
export async function crashRounds(options: CrashOptions): Promise<CrashTally> {
  const tallies: CrashTally[] = []
  let begun = 0
  let folders = 0
  let done = 0
  const onRound = () => {
    done += 1
    options.onRound?.(done)
  }
  const lane = async () => {
    while (begun < options.rounds) {
      const kind = kinds[folders % kinds.length] ?? kinds[0]
      const rounds = Math.min(kind.rounds, options.rounds - begun)
      folders += 1
      begun += rounds
      const seed = options.seed + folders
      tallies.push(await crashFolder({ ...options, seed, rounds, onRound }, kind))
    }
  }
  await Promise.all(Array.from({ length: options.lanes }, lane))
  return tallies.reduce(added)
}

/** The rounds of one folder, from an empty one on. A folder that lost something stays, and the failure names it. */
async function crashFolder(options: CrashOptions, kind: Kind): Promise<CrashTally> {
  const chance = chanceOf(options.seed)
  const folder = await temporaryFolder()
  const traces = tracesIn(folder.path)
  const cutOff: CrashTally['cutOff'] = {}
  let sandbox = await serve('--data', folder.path, '--fixture', 'starter')
  try {
    const load = { crowd: await openCrowd(sandbox), histories: await openHistories(chance) }
    if (kind.isGrown) await grow(sandbox, folder.path)
    for (let round = 1; round <= options.rounds; round += 1) {
      await loadAndKill(sandbox, load, { chance, round, loadMsMax: kind.loadMsMax })
      for (const history of load.histories) count(cutOff, history.cutOff())
      await traces.look()
      await mustBeSound(folder.path, await soundly(folder.path, round === options.rounds))
      sandbox = await serve('--data', folder.path)
      await Promise.all([load.crowd, ...load.histories].map(({ check }) => check(sandbox)))
      options.onRound?.(round)
    }
    await sandbox.stop()
    await folder.remove()
    const clients = [load.crowd, ...load.histories]
    const acknowledged = clients.reduce((sum, client) => sum + client.acknowledged(), 0)
    return { acknowledged, folders: 1, cutOff, ...traces.seen }
  } catch (error) {
    throw new Error(`${(error as Error).message}; the folder is ${folder.path}`, { cause: error })
  } finally {
    await sandbox.stop()
  }
}

function openHistories(chance: Chance): Promise<History[]> {
  return Promise.all(
    Array.from({ length: HISTORIES }, (_, number) =>
      openHistory(number, { chance: chanceOf(seedFrom(chance)), publishes: number === 0 }),
    ),
  )
}

/** What the doctor looks at: the default sandbox, which may be large, only when the folder is given up. */
async function soundly(folder: string, isLast: boolean): Promise<string[]> {
  return (await listSandboxes(folder)).filter((sandboxId) => isLast || sandboxId !== 'default')
}

/** The share of kills that do not wait for an answer. */
const BEFORE_ANY_ANSWER = 0.1
const ANSWER_PATIENCE_MS = 10_000

interface Load {
  readonly crowd: Crowd
  readonly histories: readonly History[]
}

async function loadAndKill(
  sandbox: Served,
  { crowd, histories }: Load,
  { chance, round, loadMsMax }: { chance: Chance; round: number; loadMsMax: number },
): Promise<void> {
  const under = [
    crowd.load(sandbox, round),
    ...histories.map(({ load }) => untilKilled(load(sandbox))),
  ]
  const failed = Promise.all(under)
  const [first, moment] = [chance(), chance()]
  const killed = async () => {
    // On a machine with much else to do nothing would be answered in time, and nothing could be lost.
    if (first > BEFORE_ANY_ANSWER) await anythingAnswered({ crowd, histories })
    await pause(20 + moment * loadMsMax)
    sandbox.child.kill('SIGKILL')
    await sandbox.ended
  }
  await Promise.race([failed, killed()])
  await failed
}

async function anythingAnswered({ crowd, histories }: Load): Promise<void> {
  const count = () => [crowd, ...histories].reduce((sum, each) => sum + each.acknowledged(), 0)
  const before = count()
  const giveUpAt = Date.now() + ANSWER_PATIENCE_MS
  while (count() === before && Date.now() < giveUpAt) await pause(2)
}

/** A journal is folded when it is larger than 16 MiB, and a month adds 0.8: this makes one that soon will be. */
const GROWN_BYTES = 15 * 1024 * 1024

async function grow(sandbox: Served, folder: string): Promise<void> {
  const order = { customer_id: 'cus_ada', plan: 'basic' }
  const orders = Array.from({ length: 400 }, () =>
    call(sandbox, 'POST /v1/subscriptions', { body: order }),
  )
  await Promise.all(orders)
  const journal = join(sandboxFolder(folder, 'default'), 'journal-000001.ndjson')
  while ((await stat(journal)).size < GROWN_BYTES) {
    await call(sandbox, 'POST /sandbox/clock/advance', { body: { by: 'P1M' } })
  }
}

function count(counts: CrashTally['cutOff'], name: OperationName | null): void {
  if (name !== null) counts[name] = (counts[name] ?? 0) + 1
}

function added(one: CrashTally, other: CrashTally): CrashTally {
  const cutOff = { ...one.cutOff }
  for (const [name, times] of Object.entries(other.cutOff)) {
    cutOff[name as OperationName] = (cutOff[name as OperationName] ?? 0) + times
  }
  return {
    acknowledged: one.acknowledged + other.acknowledged,
    folders: one.folders + other.folders,
    folds: one.folds + other.folds,
    halfWritten: one.halfWritten + other.halfWritten,
    cutOff,
  }
}

/** What the rounds came to, in one line. */
export function printTally({ cutOff, ...tally }: CrashTally): string {
  const calls = Object.entries(cutOff).sort(([, one], [, other]) => other - one)
  const within = calls.map(([name, times]) => `${name} ${times}`).join(', ')
  return (
    `${tally.acknowledged} acknowledged changes, none lost; ${tally.folders} folders, ` +
    `${tally.folds} journals folded; ${tally.halfWritten} kills left files half written; ` +
    `calls cut off: ${within}`
  )
}
