/**
 * Starting: until the first 200 on /health/ready, and the memory held then, against a process of bare Hono; and a command
 * that calls a sandbox, against a process that does nothing.
 */
import { execFile } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { sandboxFolder } from '../src/store/folder-store.ts'
import { type Figure, median, print } from './support/figures.ts'
import { parsedAfterMs } from './support/lines.ts'
import { inFolder, residentKiB, type Served, serveBare, serveSandbox } from './support/processes.ts'
import { keep, subscribed } from './support/worlds.ts'

const ROUNDS = 9
const LARGE_ROUNDS = 3
const LARGE = 100_000
/** How long a process is left alone before its memory counts as idle. */
const SETTLING_MS = 500

interface Start {
  readonly readyAfterMs: number
  readonly idleKiB: number
}

async function startOf(served: Served): Promise<Start> {
  await pause(SETTLING_MS)
  const idleKiB = await residentKiB(served)
  await served.stop()
  return { readyAfterMs: served.readyAfterMs, idleKiB }
}

async function againstBare(): Promise<Figure[]> {
  const bare: Start[] = []
  const own: Start[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    bare.push(await startOf(await serveBare()))
    own.push(await inFolder(async (folder) => startOf(await serveSandbox(folder))))
  }
  const middle = (starts: readonly Start[], field: keyof Start) =>
    median(starts.map((start) => start[field]))
  const [ownMs, bareMs] = [middle(own, 'readyAfterMs'), middle(bare, 'readyAfterMs')]
  const [ownMiB, bareMiB] = [middle(own, 'idleKiB') / 1024, middle(bare, 'idleKiB') / 1024]
  return [
    {
      measure: 'process start to the first 200 on /health/ready, new folder',
      against: 'a bare Hono process',
      ratio: ownMs / bareMs,
      target: { atMost: 1.6 },
      behind: `${ownMs.toFixed(0)} ms, ${bareMs.toFixed(0)} ms`,
    },
    {
      measure: 'idle resident memory',
      against: 'a bare Hono process',
      ratio: ownMiB / bareMiB,
      target: { atMost: 1.6 },
      behind: `${ownMiB.toFixed(0)} MiB, ${bareMiB.toFixed(0)} MiB`,
    },
  ]
}

function withMany(): Promise<Figure> {
  return inFolder(async (folder) => {
    await keep(subscribed(LARGE), folder)
    const parsed: number[] = []
    const started: number[] = []
    for (let round = 0; round < LARGE_ROUNDS; round += 1) {
      parsed.push(await parsedAfterMs(sandboxFolder(folder, 'default')))
      const served = await serveSandbox(folder)
      started.push(served.readyAfterMs)
      await served.stop()
    }
    return {
      measure: `process start with ${LARGE} subscriptions on disk`,
      against: 'JSON.parse of each line of the folder',
      ratio: median(started) / median(parsed),
      // Every start passes the validator, which is about two fifths of it.
      target: { atMost: 4 },
      behind: `${median(started).toFixed(0)} ms, ${median(parsed).toFixed(0)} ms`,
    }
  })
}

/** The time of a process of Node with these arguments, in milliseconds. */
async function processMs(...args: string[]): Promise<number> {
  const startedAt = performance.now()
  await promisify(execFile)(process.execPath, args)
  return performance.now() - startedAt
}

function commandStart(): Promise<Figure> {
  return inFolder(async (folder) => {
    const { url, stop } = await serveSandbox(folder)
    const own: number[] = []
    const bare: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      bare.push(await processMs('-e', '0'))
      own.push(await processMs('dist/cli/main.js', 'clock', 'show', '--url', url))
    }
    await stop()
    return {
      measure: 'the command `clock show`',
      against: 'a process of Node that does nothing',
      ratio: median(own) / median(bare),
      target: { atMost: 4 },
      behind: `${median(own).toFixed(0)} ms, ${median(bare).toFixed(0)} ms`,
    }
  })
}

print([...(await againstBare()), await commandStart(), await withMany()])
