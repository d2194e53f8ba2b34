/**
 * Replaying a pact: runs our own `verify` as a process of its own, which starts a sandbox of its own, so that the native
 * verifier and its state changes never touch this one.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { oneByOne } from '../sandbox/one-by-one.ts'
import { packageRoot } from '../version.ts'

/** How long it may take. */
const PATIENCE_MS = 120_000

export interface Verification {
  readonly ok: boolean
  /** What `verify --reporter json` printed. */
  readonly report: Readonly<Record<string, unknown>>
}

/** A verification keeps a core of the machine busy, so they wait for each other. */
const inTurn = oneByOne()

/** Replays a pact against a new sandbox. Throws where the verifier cannot be run. */
export function verifyLive(document: object): Promise<Verification> {
  return inTurn(() => replay(document))
}

async function replay(document: object): Promise<Verification> {
  const folder = await mkdtemp(join(tmpdir(), 'subscription-sandbox-pact-'))
  try {
    const path = join(folder, 'pact.json')
    await writeFile(path, JSON.stringify(document))
    return await run(['verify', path, '--reporter', 'json'])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** It ends with 1 where the contract is broken, which is an answer too. */
function run(args: readonly string[]): Promise<Verification> {
  const main = fileURLToPath(new URL('dist/cli/main.js', packageRoot))
  const options = { timeout: PATIENCE_MS, maxBuffer: 64 * 1024 * 1024 }
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [main, ...args], options, (error, stdout, stderr) => {
      if (error !== null && error.code !== 1) reject(new Error(stderr || error.message))
      else resolve({ ok: error === null, report: JSON.parse(stdout) })
    })
  })
}
