/**
 * Every operation with every filter, and every page of the dashboard, in a sandbox that is filled to its bounds: how long
 * each holds the event loop, by the worst answer of /health/live and by the meter of the process, which counts the time of
 * its thread alone. Exits with 1 where both say that one holds it for longer than promised, and where one cannot be called.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { exampleSandboxes } from '../src/openapi/examples/call.ts'
import { HOLD_MAX_MS, type Hold } from '../src/world/hold-meter.ts'
import {
  declarations,
  type FullCall,
  LAST,
  operationCalls,
  pageCalls,
  pageRoutes,
} from './support/full-calls.ts'
import type { Question, Told } from './support/full-server.ts'
import { inFolder } from './support/processes.ts'

/** A full sandbox has more invoices than that. */
const INVOICES_MIN = 1_000_000
/** How long an answer that does not end is read, and how long any other is waited for. */
const STREAM_MS = 1000
const PATIENCE_MS = 600_000
/** A call that held the loop for too long is made again: the machine may have been busy, or memory was collected. */
const TRIES = 3

interface Row {
  readonly call: string
  readonly status: string
  readonly 'took ms': number
  readonly 'health ms': number
  readonly 'meter ms': number
  readonly by: string
  readonly verdict: '' | 'LONG' | 'REFUSED'
}

/** The process with the full sandboxes, and what measures it. */
interface Full {
  readonly url: string
  readonly ask: (question: Question) => Promise<Told>
  readonly worstHealthMs: () => Promise<number>
  /** Asks for its health no more. */
  readonly leave: () => Promise<unknown>
}

const pattern = new RegExp(process.argv[2] ?? '')
const calls = [...operationCalls(declarations), ...pageCalls(pageRoutes)].filter((call) =>
  pattern.test(nameOf(call)),
)
const isRead = ({ method }: FullCall) => method === 'GET'
const rows = await inFolder(async (folder) => {
  const child = fork(new URL('support/full-server.ts', import.meta.url), [folder], {
    execArgv: ['--import', 'tsx', '--max-old-space-size=8192', ...profiling()],
  })
  try {
    const full = await fullIn(child)
    try {
      return await measureAll(full)
    } finally {
      await full.leave()
    }
  } finally {
    child.kill()
    await once(child, 'close')
  }
})
const failed = rows.filter(({ verdict }) => verdict !== '')
console.log(
  `${failed.length} of ${rows.length} calls are refused, or hold up others for more than ${HOLD_MAX_MS} ms`,
)
console.table(failed)
if (failed.length > 0) process.exitCode = 1

function profiling(): string[] {
  const folder = process.env['PROFILE_IN']
  return folder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${folder}`]
}

async function fullIn(child: ChildProcess): Promise<Full> {
  const answered = async (): Promise<Told> => (await once(child, 'message'))[0]
  const { url = '' } = await answered()
  const poller = new Worker(new URL('support/health-poller.mjs', import.meta.url), {
    workerData: url,
  })
  return {
    url,
    ask: (question) => {
      child.send(question)
      return answered()
    },
    worstHealthMs: async () => {
      poller.postMessage(null)
      return (await once(poller, 'message'))[0]
    },
    leave: () => poller.terminate(),
  }
}

/** What reads comes first, because what writes may leave less. */
async function measureAll(full: Full): Promise<Row[]> {
  const measured: Row[] = []
  for (const call of calls.filter(isRead)) {
    measured.push(await shortest(full, call, () => measure(full, call)))
  }
  for (const call of calls.filter(({ variant }) => variant === 'limit=1000')) {
    if (!call.operation.startsWith('list')) continue
    measured.push(await shortest(full, call, () => besideCheckpoint(full, call)))
  }
  const writes = calls.filter((each) => !isRead(each))
  // An advance fills the sandbox, which then takes nothing more.
  const isAdvance = ({ operation }: FullCall) => operation === 'advanceClock'
  for (const call of [...writes.filter((each) => !isAdvance(each)), ...writes.filter(isAdvance)]) {
    measured.push(await shortest(full, call, () => measure(full, call)))
  }
  return measured
}

/** The try that held the loop for the shortest time, of up to three where the first held it for too long. */
async function shortest(full: Full, call: FullCall, once: () => Promise<Row>): Promise<Row> {
  let row = await once()
  const isRepeatable = isRead(call) || call.sandbox !== exampleSandboxes.main
  for (let tried = 1; tried < TRIES && row.verdict === 'LONG' && isRepeatable; tried += 1) {
    if (!isRead(call)) await full.ask({ ask: 'refill', sandbox: call.sandbox })
    const again = await once()
    if (again.verdict !== 'REFUSED' && again['meter ms'] < row['meter ms']) row = again
  }
  return row
}

/** A list while the same sandbox writes a checkpoint. */
async function besideCheckpoint(full: Full, call: FullCall): Promise<Row> {
  const { fork: stored } = exampleSandboxes
  const headers = { 'Sandbox-Id': stored, 'Content-Type': 'application/json' }
  const to = `${full.url}/sandbox/checkpoints`
  const created = fetch(to, { method: 'POST', headers, body: '{"name":"beside"}' })
  await pause(500)
  const row = await measure(full, { ...call, headers: { ...call.headers, 'Sandbox-Id': stored } })
  await (await created).text()
  await (await fetch(`${to}/beside`, { method: 'DELETE', headers })).text()
  return { ...row, call: `${row.call}, beside a checkpoint` }
}

async function measure(full: Full, call: FullCall): Promise<Row> {
  await ensureFull(full, call)
  const row = await measureOnce(full, call)
  // Calls before may have taken the last free records.
  if (row.verdict !== 'REFUSED' || !row.status.includes('limit of records')) return row
  if (call.sandbox === exampleSandboxes.main) return row
  await full.ask({ ask: 'refill', sandbox: call.sandbox })
  return measureOnce(full, call)
}

async function measureOnce(full: Full, call: FullCall): Promise<Row> {
  const path = await addressOf(full, call)
  await full.ask({ ask: 'holds' })
  await full.worstHealthMs()
  const startedAt = performance.now()
  const answer = await send(`${full.url}${path}`, call)
  const tookMs = performance.now() - startedAt
  // The poll that was under way has its answer before this one.
  await (await fetch(`${full.url}/health/live`)).text()
  const healthMs = await full.worstHealthMs()
  const { holds = [] } = await full.ask({ ask: 'holds' })
  const [longest] = holds as Hold[]
  // One alone may be the machine, which has other things to do, or a poll that just missed it.
  const longOrNot = Math.min(healthMs, longest?.ms ?? 0) > HOLD_MAX_MS ? 'LONG' : ''
  const row: Row = {
    call: nameOf(call),
    status: answer.text,
    'took ms': Math.round(tookMs),
    'health ms': Math.round(healthMs),
    'meter ms': Math.round(longest?.ms ?? 0),
    by: longest === undefined ? '' : String(longest.operation),
    verdict: answer.isRefused ? 'REFUSED' : longOrNot,
  }
  console.log(Object.values(row).join('  '))
  return row
}

/** Sends a call, and reads its answer to the end without keeping it; a stream of events for a while. */
async function send(url: string, { method, headers, body }: FullCall) {
  const ended = new AbortController()
  const init = { method, headers: { Origin: new URL(url).origin, ...headers }, body }
  const answer = await fetch(url, {
    ...init,
    redirect: 'manual',
    signal: AbortSignal.any([ended.signal, AbortSignal.timeout(PATIENCE_MS)]),
  })
  const isStream = answer.headers.get('Content-Type')?.startsWith('text/event-stream') ?? false
  if (isStream) setTimeout(() => ended.abort(), STREAM_MS)
  const pieces: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const piece of answer.body ?? []) {
      if (bytes < 300) pieces.push(piece)
      bytes += piece.length
    }
  } catch (error) {
    if (!isStream) throw error
  }
  // A page says what it misses, such as the fields of an empty form.
  const isPage = url.includes('/dashboard/')
  const isRefused = answer.status >= (isPage ? 500 : 400)
  const why = isRefused ? `: ${Buffer.concat(pieces).toString().slice(0, 200)}` : ''
  return { isRefused, text: `${answer.status}, ${Math.ceil(bytes / 1000)} kB${why}` }
}

async function addressOf(full: Full, call: FullCall): Promise<string> {
  const pairs: [string, string][] = []
  for (const [name, value] of Object.entries(call.query)) {
    const values = value === LAST ? [await lastOf(full, call)] : [value].flat()
    for (const each of values) if (each !== null) pairs.push([name, String(each)])
  }
  const path = await pathOf(full, call)
  return pairs.length === 0 ? path : `${path}?${new URLSearchParams(pairs)}`
}

/** The delivery of the example is long gone where so much is delivered; one that was given up can be repeated. */
async function pathOf({ url }: Full, { operation, path, headers }: FullCall): Promise<string> {
  if (operation !== 'redeliverWebhookDelivery') return path
  const failed = `${url}/sandbox/webhooks/deliveries?status=failed&limit=1`
  // The first attempts are repeated for 20 seconds.
  for (let second = 0; second < 60; second += 1) {
    const answer = await fetch(failed, { headers })
    const { data } = (await answer.json()) as { data: readonly { delivery_id: string }[] }
    const [delivery] = data
    if (delivery !== undefined) {
      return path.replace(/[^/]+(?=\/redeliver$)/, delivery.delivery_id)
    }
    await pause(1000)
  }
  throw new Error('No delivery was given up within a minute')
}

/** The last cursor of a list; null where it has one page of one record only. */
async function lastOf(
  { url, ask }: Full,
  { operation, headers }: FullCall,
): Promise<string | null> {
  const { path = '' } =
    declarations.find(({ operationId }) => operationId === operation) ??
    declarations.find((each) =>
      operation.endsWith(`:sandbox${each.path.replace('/sandbox', '')}`),
    ) ??
    {}
  const answer = await fetch(`${url}${path}?limit=1`, {
    headers: { 'Sandbox-Id': exampleSandboxes.main, ...headers },
  })
  const { next_after: first } = (await answer.json()) as { next_after: string | null }
  if (first === null || first === undefined) return null
  const { last } = await ask({ ask: 'last', first })
  return last ?? first
}

/** Fills a sandbox again that a call before has emptied or deleted. */
async function ensureFull({ url, ask }: Full, { sandbox }: FullCall): Promise<void> {
  const answer = await fetch(`${url}/sandbox`, { headers: { 'Sandbox-Id': sandbox } })
  const { counts } = (await answer.json()) as { counts?: { invoices: number } }
  if ((counts?.invoices ?? 0) < INVOICES_MIN && sandbox !== exampleSandboxes.main) {
    await ask({ ask: 'refill', sandbox })
  }
}

function nameOf({ operation, variant, sandbox }: FullCall): string {
  const where = sandbox === exampleSandboxes.main ? '' : ` in ${sandbox}`
  return `${operation}${variant === '' ? '' : `, ${variant}`}${where}`
}
