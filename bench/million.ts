/**
 * A million due items in one advance of a real process with the memory that Node gives by default, a stop, and a start
 * on what it left: the counts must be the same. Against writing and reading the bytes of the folder in the same run.
 */
import { createWriteStream } from 'node:fs'
import { open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { sandboxFolder } from '../src/store/folder-store.ts'
import { print } from './support/figures.ts'
import { parsedAfterMs } from './support/lines.ts'
import { inFolder, peakResidentKiB, type Served, serveSandbox } from './support/processes.ts'
import { keep, subscribed } from './support/worlds.ts'

const SUBSCRIPTIONS = 10_000
const MONTHS = 100
const PIECE_BYTES = 1024 * 1024

interface Run {
  readonly tookMs: number
  readonly peakBytes: number
}

const rows = await inFolder(async (folder) => {
  await keep(subscribed(SUBSCRIPTIONS), folder)
  const advanced = await advance(folder)
  const place = sandboxFolder(folder, 'default')
  const bytes = await bytesIn(place)
  const parsedMs = await parsedAfterMs(place)
  const writtenMs = await write(join(folder, 'baseline'), bytes)
  const started = await startAgain(folder, advanced.counts)
  const items = SUBSCRIPTIONS * MONTHS
  const size = `${mebi(bytes)} MiB`
  return [
    {
      measure: `advance of ${items} due items, durable`,
      against: 'writing the bytes that it left in the folder',
      ratio: advanced.tookMs / writtenMs,
      target: null,
      behind: `${seconds(advanced.tookMs)} s, ${seconds(writtenMs)} s for ${size}`,
    },
    {
      measure: 'process start on what it left',
      against: 'JSON.parse of each line of the folder',
      ratio: started.tookMs / parsedMs,
      target: null,
      behind: `${seconds(started.tookMs)} s, ${seconds(parsedMs)} s for ${size}`,
    },
    ...[
      { measure: 'most memory resident in the advance', peakBytes: advanced.peakBytes },
      { measure: 'most memory resident in the start', peakBytes: started.peakBytes },
    ].map(({ measure, peakBytes }) => ({
      measure,
      against: 'the bytes of the folder',
      ratio: peakBytes / bytes,
      target: null,
      behind: `${mebi(peakBytes)} MiB, ${size}`,
    })),
  ]
})
print(rows)

async function advance(folder: string): Promise<Run & { readonly counts: string }> {
  const served = await serveSandbox(folder)
  const startedAt = performance.now()
  const response = await fetch(`${served.url}/sandbox/clock/advance`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ by: `P${MONTHS}M` }),
  })
  const answer = await response.text()
  if (!response.ok) throw new Error(`The advance answered ${response.status}: ${answer}`)
  const tookMs = performance.now() - startedAt
  const counts = await countsOf(served)
  const peakBytes = 1024 * (await peakResidentKiB(served))
  await served.stop()
  return { tookMs, peakBytes, counts }
}

async function startAgain(folder: string, before: string): Promise<Run> {
  const served = await serveSandbox(folder)
  const peakBytes = 1024 * (await peakResidentKiB(served))
  const counts = await countsOf(served)
  await served.stop()
  if (counts !== before) throw new Error(`There was ${before}, and now there is ${counts}`)
  return { tookMs: served.readyAfterMs, peakBytes }
}

/** Where the sandbox stands, and how much it holds. */
async function countsOf({ url }: Served): Promise<string> {
  const response = await fetch(`${url}/sandbox`)
  // How long calls held the process up is of that process.
  const { longest_holds: _, ...summary } = (await response.json()) as { longest_holds: unknown }
  return JSON.stringify(summary)
}

async function bytesIn(place: string): Promise<number> {
  const sizes = await Promise.all(
    (await readdir(place)).map(async (name) => (await stat(join(place, name))).size),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

async function write(path: string, bytes: number): Promise<number> {
  const startedAt = performance.now()
  const piece = Buffer.alloc(PIECE_BYTES, 'x')
  const pieces = Array.from({ length: Math.ceil(bytes / PIECE_BYTES) }, () => piece)
  await pipeline(Readable.from(pieces), createWriteStream(path))
  const file = await open(path, 'r+')
  await file.sync()
  await file.close()
  return performance.now() - startedAt
}

function mebi(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(0)
}

function seconds(millis: number): string {
  return (millis / 1000).toFixed(1)
}
