/**
 * Replaying a pact: runs our own `verify` as a process of its own, which starts a sandbox of its own, so that the native
 * verifier and its state changes never touch this one.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serialQueue } from '../../sandbox/serial-queue.ts'
import { RefusalError } from '../../surface/refusals.ts'
import { packageRoot } from '../../version.ts'
import type { ContractRequest } from './run-job.ts'

/** How long it may take. */
const PATIENCE_MS = 120_000

/** The most bytes of a report. */
const REPORT_MAX_BYTES = 32 * 1024 * 1024

/** How much is kept of what the verifier says of its own failure. */
const ERRORS_MAX = 4000

export interface Verification {
  readonly isOk: boolean
  /** What `verify --reporter json` printed, in pieces. */
  readonly report: readonly Uint8Array[]
}

/** A verification keeps a core of the machine busy, so they wait for each other. */
const inTurn = serialQueue()

/** Replays a pact against a new sandbox. Throws 400 where that takes too long, and where the verifier cannot be run. */
export async function verifyLive({ bytes, signal }: ContractRequest): Promise<Verification> {
  return inTurn(() => replay(bytes, signal))
}

async function replay(pact: Uint8Array, signal: AbortSignal): Promise<Verification> {
  const folder = await mkdtemp(join(tmpdir(), 'subscription-sandbox-pact-'))
  try {
    const path = join(folder, 'pact.json')
    await writeFile(path, pact)
    return await run(['verify', path, '--reporter', 'json'], signal)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Runs the command. It ends with this process at the latest, because it sees that nobody is there any more. */
async function run(args: readonly string[], signal: AbortSignal): Promise<Verification> {
  const main = new URL('dist/cli/main.js', packageRoot)
  const patience = AbortSignal.timeout(PATIENCE_MS)
  const child = fork(main, [...args], {
    silent: true,
    execArgv: [],
    signal: AbortSignal.any([signal, patience]),
  })
  child.unref()
  child.channel?.unref()
  const report = reportOf(child)
  const errors = errorsOf(child)
  const [code] = await once(child, 'close').catch((error: Error) => {
    throw error.name === 'AbortError' ? refusalFor(patience) : error
  })
  if (report.isTooLong()) throw refused(`Its report is longer than ${REPORT_MAX_BYTES} bytes`)
  // Broken, or nothing to replay: that is an answer too, and the report says so.
  if (![0, 1, 2].includes(code) || report.pieces.length === 0) throw new Error(errors())
  return { isOk: code === 0, report: report.pieces }
}

function refusalFor(patience: AbortSignal): RefusalError {
  if (!patience.aborted) return refused('The client closed the connection')
  return refused(`It takes longer than ${PATIENCE_MS / 1000} seconds`)
}

function refused(reason: string): RefusalError {
  const message = `The pact cannot be replayed. ${reason}; send one with fewer interactions.`
  return new RefusalError('invalid_request', message)
}

/** What the verifier prints, which keeps no process alive. Ends it where that is too long. */
function reportOf(child: ChildProcess) {
  const pieces: Buffer[] = []
  let size = 0
  child.stdout?.on('data', (chunk: Buffer) => {
    size += chunk.byteLength
    if (size <= REPORT_MAX_BYTES) pieces.push(chunk)
    else child.kill()
  })
  if (child.stdout instanceof Socket) child.stdout.unref()
  return { pieces, isTooLong: () => size > REPORT_MAX_BYTES }
}

/** The last of what the verifier says of its own failure. */
function errorsOf({ stderr }: ChildProcess): () => string {
  let text = ''
  stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    text = (text + chunk).slice(-ERRORS_MAX)
  })
  if (stderr instanceof Socket) stderr.unref()
  return () => text
}
