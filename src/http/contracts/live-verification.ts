/**
 * Replaying a pact: runs `verify` in another process with a new sandbox, so that the native verifier and its state
 * changes never touch this one.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { requireOptional } from '../../contracts/common/failure.ts'
import { serialQueue } from '../../sandbox/serial-queue.ts'
import { RefusalError } from '../../surface/refusals.ts'
import { buildFolder } from '../../version.ts'

const TIMEOUT_MS = 120_000

/** The most bytes of a report. */
const REPORT_MAX_BYTES = 32 * 1024 * 1024

/** How much of the verifier's error output is kept. */
const ERRORS_MAX = 4000

/** A verification keeps a core of the machine busy, so they wait for each other. */
const queue = serialQueue()

/**
 * Replays a pact against a new sandbox; `report` is what `verify --reporter json` printed. Throws 400 if that takes too long,
 * and 503 without the verifier, which is an optional package.
 */
export function verifyLive(bytes: Uint8Array, client: AbortSignal) {
  return queue(async () => {
    try {
      requireOptional('@pact-foundation/pact-core')
    } catch (error) {
      throw new RefusalError('unavailable', (error as Error).message)
    }
    const folder = await mkdtemp(join(tmpdir(), 'subscription-sandbox-pact-'))
    try {
      const path = join(folder, 'pact.json')
      await writeFile(path, bytes)
      return await runVerify(['verify', path, '--provider', '*', '--reporter', 'json'], client)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
}

/** Runs the command, which ends when this process ends. */
async function runVerify(args: readonly string[], signal: AbortSignal) {
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  const child = fork(new URL('cli/main.js', buildFolder), [...args], {
    silent: true,
    execArgv: [],
    signal: AbortSignal.any([signal, timeout]),
  })
  const report: Buffer[] = []
  let size = 0
  child.stdout?.on('data', (chunk: Buffer) => {
    size += chunk.byteLength
    if (size <= REPORT_MAX_BYTES) report.push(chunk)
    else child.kill()
  })
  let errors = ''
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    errors = (errors + chunk).slice(-ERRORS_MAX)
  })
  const [code] = await once(child, 'close').catch((error: Error) => {
    if (error.name !== 'AbortError') throw error
    if (!timeout.aborted) throw cannotReplay('The client closed the connection')
    throw cannotReplay(`It takes longer than ${TIMEOUT_MS / 1000} seconds`)
  })
  if (size > REPORT_MAX_BYTES)
    throw cannotReplay(`Its report is longer than ${REPORT_MAX_BYTES} bytes`)
  // A broken or empty pact has a report as well.
  if (![0, 1, 2].includes(code) || report.length === 0) throw new Error(errors)
  return { isOk: code === 0, report }
}

function cannotReplay(reason: string): RefusalError {
  const message = `The pact cannot be replayed. ${reason}; send one with fewer interactions.`
  return new RefusalError('invalid_request', message)
}
