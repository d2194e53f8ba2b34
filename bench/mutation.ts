/**
 * One durable change with many subscriptions stored against the same with few: pausing and resuming, one call after
 * another, a call to each in turn.
 */
import { join } from 'node:path'
import { type Figure, print, quantile } from './support/figures.ts'
import { caller, type Post } from './support/load.ts'
import { inFolder, serveSandbox } from './support/processes.ts'
import { keep, subscribed } from './support/worlds.ts'

const FEW = 100
const MANY = 100_000
const WARM_UP_CALLS = 500
const CALLS = 4000

async function serveWith(count: number, folder: string) {
  await keep(subscribed(count), folder)
  return { ...(await serveSandbox(folder)), count }
}

/** Connects to it. Both are connected to at last, because a connection that sends nothing for 15 s is closed. */
async function callsOf({ url, count, stop }: Awaited<ReturnType<typeof serveWith>>) {
  const client = await caller(url)
  return {
    timed: (call: number) => client.timed(change(url, call, count)),
    stop: () => {
      client.close()
      return stop()
    },
  }
}

/** Pauses a subscription and resumes it with the next call; every pair goes to another one, far from the last. */
function change(url: string, call: number, count: number): Post {
  const pair = Math.floor(call / 2)
  const sequence = 1 + ((pair * 7919) % count)
  const id = `sub_${String(sequence).padStart(6, '0')}`
  const isPause = call % 2 === 0
  const path = isPause ? `/v1/subscriptions/${id}/pause` : `/sandbox/subscriptions/${id}/resume`
  return { url, path, type: 'application/json', body: '{}' }
}

const figures = await inFolder(async (folder) => {
  const servers = [
    await serveWith(FEW, join(folder, 'few')),
    await serveWith(MANY, join(folder, 'many')),
  ] as const
  const [few, many] = await Promise.all([callsOf(servers[0]), callsOf(servers[1])])
  const took: { few: number[]; many: number[] } = { few: [], many: [] }
  for (let call = 0; call < WARM_UP_CALLS + CALLS; call += 1) {
    const pair = { few: await few.timed(call), many: await many.timed(call) }
    if (call < WARM_UP_CALLS) continue
    took.few.push(pair.few)
    took.many.push(pair.many)
  }
  await Promise.all([few.stop(), many.stop()])
  return [figure('median', 0.5, took), figure('p99', 0.99, took)]
})

function figure(
  name: string,
  share: number,
  took: { readonly few: readonly number[]; readonly many: readonly number[] },
): Figure {
  const few = quantile(took.few, share)
  const many = quantile(took.many, share)
  return {
    measure: `one durable change with ${MANY} subscriptions stored, ${name}`,
    against: `the same with ${FEW}`,
    ratio: many / few,
    target: { atMost: 1.3 },
    behind: `${many.toFixed(2)} ms, ${few.toFixed(2)} ms`,
  }
}

print(figures)
