/**
 * What sandboxes take of one process, with its data on disk, for docs/guides/many-users.md: npx tsx bench/many-sandboxes.ts
 * A sandbox is idle once it was made and asked once; a lively one has 20 subscriptions and went through a year.
 */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Figure, median, print } from './support/figures.ts'
import { inFolder, residentKiB, type Served, serveSandbox } from './support/processes.ts'

/** Below the most that one process takes. */
const SANDBOXES = 900
const LIVELY = 50
const LANES = 16
const STARTS = 5

async function call(served: Served, ...[method, path, sent = {}]: [string, string, Sent?]) {
  const answer = await fetch(`${served.url}${path}`, {
    method,
    headers: {
      Authorization: `Bearer sk_sandbox_${sent.of ?? 'default'}`,
      'Content-Type': 'application/json',
      'Sandbox-Id': sent.of ?? 'default',
    },
    ...(sent.body !== undefined && { body: JSON.stringify(sent.body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`)
}

interface Sent {
  readonly of?: string
  readonly body?: object
}

/** Does the work for each id, some at a time; answers how many were done in a second. */
async function rateOf(ids: readonly string[], work: (id: string) => Promise<void>) {
  const waiting = ids.values()
  const startedAt = performance.now()
  const lane = async () => {
    for (const id of waiting) await work(id)
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  return ids.length / ((performance.now() - startedAt) / 1000)
}

async function diskKiB(folder: string): Promise<number> {
  const found = await readdir(folder, { recursive: true })
  const sizes = await Promise.all(found.map(async (each) => stat(join(folder, each))))
  return sizes.reduce((sum, { blocks }) => sum + blocks / 2, 0)
}

async function liveAYear(served: Served, of: string): Promise<void> {
  for (let at = 0; at < 20; at += 1) {
    const body = { customer_id: 'cus_ada', plan: 'basic' }
    await call(served, 'POST', '/v1/subscriptions', { of, body })
  }
  await call(served, 'POST', '/sandbox/clock/advance', { of, body: { by: 'P1Y' } })
}

function idsOf(name: string, count: number): string[] {
  return Array.from({ length: count }, (_, at) => `${name}-${at}`)
}

/** Starts on a folder, so often that one slow start does not count; the last one goes on. */
async function startsOn(folder: string) {
  const times: number[] = []
  let served = await serveSandbox(folder)
  for (let at = 1; at < STARTS; at += 1) {
    times.push(served.readyAfterMs)
    await served.stop()
    served = await serveSandbox(folder)
  }
  return { served, readyAfterMs: median([...times, served.readyAfterMs]) }
}

async function measure(folder: string): Promise<Figure[]> {
  const data = join(folder, 'many')
  const empty = await startsOn(data)
  const { served } = empty
  const emptyKiB = await residentKiB(served)
  const emptyDiskKiB = await diskKiB(data)
  const ids = idsOf('idle', SANDBOXES)
  const created = await rateOf(ids, (id) => call(served, 'PUT', `/sandboxes/${id}`))
  const idleDiskKiB = ((await diskKiB(data)) - emptyDiskKiB) / SANDBOXES
  await served.stop()

  const full = await startsOn(data)
  const storedKiB = await residentKiB(full.served)
  await rateOf(ids, (of) => call(full.served, 'GET', '/sandbox', { of }))
  const idleKiB = ((await residentKiB(full.served)) - storedKiB) / SANDBOXES
  const deleted = await rateOf(ids, (id) => call(full.served, 'DELETE', `/sandboxes/${id}`))
  await full.served.stop()

  const livelyData = join(folder, 'lively')
  const lively = await serveSandbox(livelyData)
  const [beforeKiB, beforeDiskKiB] = [await residentKiB(lively), await diskKiB(livelyData)]
  const livelyIds = idsOf('lively', LIVELY)
  await rateOf(livelyIds, (id) => call(lively, 'PUT', `/sandboxes/${id}`))
  await rateOf(livelyIds, (id) => liveAYear(lively, id))
  const livelyKiB = ((await residentKiB(lively)) - beforeKiB) / LIVELY
  const livelyDiskKiB = ((await diskKiB(livelyData)) - beforeDiskKiB) / LIVELY
  await lively.stop()
  const figure = (measure: string, ratio: number, [against, behind]: [string, string]): Figure => ({
    measure,
    against,
    ratio,
    target: null,
    behind,
  })
  const ofProcess = 'the memory of a process without sandboxes'
  const mib = (kib: number) => `${(kib / 1024).toFixed(2)} MiB`
  return [
    figure(`start with ${SANDBOXES} sandboxes on disk`, full.readyAfterMs / empty.readyAfterMs, [
      'the start without',
      `${full.readyAfterMs.toFixed(0)} ms, ${empty.readyAfterMs.toFixed(0)} ms`,
    ]),
    figure('memory of a process after that start', storedKiB / emptyKiB, [
      ofProcess,
      `${mib(storedKiB)}, ${mib(emptyKiB)}`,
    ]),
    figure('memory of an idle sandbox, once it was asked', idleKiB / emptyKiB, [
      ofProcess,
      mib(idleKiB),
    ]),
    figure('memory of a lively sandbox', livelyKiB / emptyKiB, [ofProcess, mib(livelyKiB)]),
    figure('disk of a lively sandbox', livelyDiskKiB / idleDiskKiB, [
      'an idle one',
      `${livelyDiskKiB.toFixed(0)} KiB, ${idleDiskKiB.toFixed(0)} KiB`,
    ]),
    figure('sandboxes deleted in a second', deleted / created, [
      'created in a second',
      `${deleted.toFixed(0)}/s, ${created.toFixed(0)}/s`,
    ]),
  ]
}

print(await inFolder(measure))
