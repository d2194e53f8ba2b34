/**
 * Crashing: a real process under load, killed at a random moment, and what must be true of the one after it. Used by
 * the tests and by `npm run crash`.
 */
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { diagnose, isSound } from '../../src/sandbox/diagnosis.ts'
import { listSandboxes } from '../../src/store/folder-store.ts'
import { type Aside, checkAside, loadAside, startAside } from './crash-aside.ts'
import { must, send } from './crash-call.ts'
import { type Served, serve, temporaryFolder } from './process.ts'

/** What was answered before the kill; nothing of it may be missing after. */
interface Acknowledged {
  readonly aside: Aside
  readonly customers: string[]
  /** Subscriptions as they were answered, by id. */
  readonly subscriptions: Map<string, string>
  readonly redemptions: { count: number }
  readonly clock: { at: string }
}

/** How the rounds are run. `random` answers numbers from 0 to 1, so that a seed can be repeated. */
export interface CrashOptions {
  readonly rounds: number
  readonly clients: number
  /** How many folders are worked on at once, each by a process of its own. */
  readonly lanes: number
  readonly random: () => number
  readonly onRound?: (done: number) => void
}

/** What the rounds came to. */
export interface CrashTally {
  readonly acknowledged: number
  readonly folders: number
  /** Folds of a journal into its snapshot that were finished. */
  readonly folds: number
  /** Kills that left a file half written beside the one that it was to replace. */
  readonly halfWritten: number
}

interface State {
  readonly clock: { readonly now: string }
  readonly customers: readonly { customer_id: string }[]
  readonly subscriptions: readonly { subscription_id: string; customer_id: string }[]
  readonly invoices: readonly { subscription_id: string }[]
  readonly coupons: readonly { coupon_id: string; times_redeemed: number }[]
}

/**
 * After so many rounds a folder is given up for the next: what it holds would take ever longer to start on and to
 * compare, until there is hardly any load between two kills. Every second one begins with a journal that is about to
 * be folded, and is loaded for long enough that some folds are cut off and some are not.
 */
const kinds = [
  { rounds: 40, isGrown: false, loadMsMax: 150 },
  { rounds: 10, isGrown: true, loadMsMax: 800 },
] as const
type Kind = (typeof kinds)[number]

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
      tallies.push(await crashFolder({ ...options, rounds, onRound }, kind))
    }
  }
  await Promise.all(Array.from({ length: options.lanes }, lane))
  const sum = (of: (tally: CrashTally) => number) =>
    tallies.reduce((all, each) => all + of(each), 0)
  return {
    acknowledged: sum((each) => each.acknowledged),
    folders,
    folds: sum((each) => each.folds),
    halfWritten: sum((each) => each.halfWritten),
  }
}

/** The rounds of one folder, from an empty one on. A folder that lost something stays, and the failure names it. */
async function crashFolder(options: CrashOptions, kind: Kind): Promise<CrashTally> {
  const folder = await temporaryFolder()
  const known: Acknowledged = {
    aside: { customers: [], checkpoint: null },
    customers: [],
    subscriptions: new Map(),
    redemptions: { count: 0 },
    clock: { at: '' },
  }
  const traces = tracesIn(folder.path)
  let sandbox = await serve('--data', folder.path, '--fixture', 'starter')
  try {
    await send(sandbox, '/sandbox/coupons', coupon)
    await startAside(sandbox)
    if (kind.isGrown) await grow(sandbox, folder.path)
    for (let round = 1; round <= options.rounds; round += 1) {
      await loadAndKill(sandbox, known, { ...options, ...kind, round })
      await traces.look()
      if (round === options.rounds) await mustBeSound(folder.path)
      sandbox = await serve('--data', folder.path)
      await check(sandbox, known)
      await checkAside(sandbox, known.aside)
      options.onRound?.(round)
    }
  } catch (error) {
    throw new Error(`${(error as Error).message}; the folder is ${folder.path}`)
  } finally {
    await sandbox.stop()
  }
  await folder.remove()
  const { customers, subscriptions, redemptions, aside } = known
  const inDefault = customers.length + subscriptions.size + redemptions.count
  return { acknowledged: inDefault + aside.customers.length, folders: 1, ...traces.seen }
}

/** The share of kills that do not wait for an answer. */
const BEFORE_ANY_ANSWER = 0.1
const ANSWER_PATIENCE_MS = 10_000

async function anythingAnswered({ customers, aside }: Acknowledged): Promise<void> {
  const count = () => customers.length + aside.customers.length
  const before = count()
  const giveUpAt = Date.now() + ANSWER_PATIENCE_MS
  while (count() === before && Date.now() < giveUpAt) await pause(2)
}

async function loadAndKill(
  sandbox: Served,
  known: Acknowledged,
  options: CrashOptions & { readonly round: number; readonly loadMsMax: number },
): Promise<void> {
  const { clients, random, round, loadMsMax } = options
  const under = Array.from({ length: clients }, (_, client) =>
    untilKilled(load(sandbox, known, `${round}-${client}`)),
  )
  under.push(untilKilled(loadAside(sandbox, known.aside, round)))
  const moment = random()
  // On a machine with much else to do nothing would be answered in time, and nothing could be lost.
  if (moment > BEFORE_ANY_ANSWER) await anythingAnswered(known)
  await pause(20 + moment * loadMsMax)
  sandbox.child.kill('SIGKILL')
  await sandbox.ended
  await Promise.all(under)
}

/** What a kill leaves is no damage: the doctor must agree with the start that follows. */
async function mustBeSound(folder: string): Promise<void> {
  for (const sandboxId of await listSandboxes(folder)) {
    const diagnosis = await diagnose(folder, sandboxId)
    const { damages, documents } = diagnosis
    const damaged = documents.filter(({ damage }) => damage !== null)
    must(isSound(diagnosis), `the doctor finds ${JSON.stringify([...damages, ...damaged])}`)
  }
}

/** A journal is folded when it is larger than 16 MiB; this makes one that soon will be. */
const GROWN_BYTES = 14 * 1024 * 1024

async function grow(sandbox: Served, folder: string): Promise<void> {
  const order = { customer_id: 'cus_ada', plan: 'basic' }
  const orders = Array.from({ length: 400 }, () => send(sandbox, '/v1/subscriptions', order))
  await Promise.all(orders)
  const journal = join(folder, 'default', 'journal.ndjson')
  while ((await stat(journal)).size < GROWN_BYTES) {
    await send(sandbox, '/sandbox/clock/advance', { by: 'P10D' })
  }
}

/** What the kills of one folder left in it. */
function tracesIn(folder: string) {
  const seen = { folds: 0, halfWritten: 0 }
  let entries = '0'
  let before: readonly string[] = []
  const look = async () => {
    const names = await readdir(folder, { recursive: true })
    const halves = names.filter((name) => name.endsWith('.new'))
    // One that was never to replace anything again stays behind.
    if (halves.some((name) => !before.includes(name))) seen.halfWritten += 1
    before = halves
    const state = await readFile(join(folder, 'default', 'state.json'), 'utf8')
    const included = /^\{"format":\d+,"entries":(\d+),/.exec(state)?.[1] ?? '0'
    if (included !== entries) seen.folds += 1
    entries = included
  }
  return { seen, look }
}

const coupon = {
  coupon_id: 'COUNTED',
  type: 'percentage',
  value: 10,
  duration: 'forever',
  stackable: true,
}

/** One client: makes customers and subscriptions, applies a coupon, and now and then moves the clock, until the kill. */
async function load(sandbox: Served, known: Acknowledged, client: string): Promise<void> {
  for (let step = 0; ; step += 1) {
    const customer_id = `cus-${client}-${step}`
    await send(sandbox, '/sandbox/customers', { customer_id })
    known.customers.push(customer_id)
    const order = { customer_id, plan: 'basic' }
    const made = await send<Subscribed>(sandbox, '/v1/subscriptions', order)
    known.subscriptions.set(made.subscription_id, customer_id)
    const path = `/v1/subscriptions/${made.subscription_id}/apply-coupon`
    await send(sandbox, path, { coupon_id: coupon.coupon_id })
    known.redemptions.count += 1
    if (client.endsWith('-0')) await advance(sandbox, known)
  }
}

interface Subscribed {
  readonly subscription_id: string
}

async function advance(sandbox: Served, known: Acknowledged): Promise<void> {
  const moved = await send<{ to: string }>(sandbox, '/sandbox/clock/advance', { by: 'P9D' })
  known.clock.at = moved.to
}

async function check(sandbox: Served, known: Acknowledged): Promise<void> {
  const state = await send<State>(sandbox, '/sandbox/state')
  const customers = new Set(state.customers.map((each) => each.customer_id))
  const owners = new Map(
    state.subscriptions.map((each) => [each.subscription_id, each.customer_id]),
  )
  const billed = new Set(state.invoices.map((each) => each.subscription_id))
  for (const id of known.customers) must(customers.has(id), `customer ${id} is gone`)
  for (const [id, owner] of known.subscriptions) {
    must(owners.get(id) === owner, `subscription ${id} of ${owner} is gone`)
  }
  for (const id of owners.keys()) must(billed.has(id), `subscription ${id} is half there`)
  const redeemed = state.coupons.find((each) => each.coupon_id === coupon.coupon_id)
  must((redeemed?.times_redeemed ?? 0) >= known.redemptions.count, 'a redemption is gone')
  must(
    state.clock.now >= known.clock.at,
    `the clock is at ${state.clock.now}, not ${known.clock.at}`,
  )
  const audit = await send<{ ok: boolean }>(sandbox, '/sandbox/audit')
  must(audit.ok, `the books do not add up: ${JSON.stringify(audit)}`)
}

/** A call that the kill cut off was not answered, so it promises nothing. */
async function untilKilled(load: Promise<void>): Promise<void> {
  await load.catch((error) => {
    if (!(error instanceof TypeError)) throw error
  })
}
