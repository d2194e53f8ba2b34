/** The ring of deploy/nginx.conf with many processes, simulated: deterministic, and nothing is started. */
import { ringOf } from '../../src/cli/commands/ring.ts'

/** One sandbox for each engineer of a platform. */
const SANDBOXES = 100_000

const ids = Array.from({ length: SANDBOXES }, (_, at) => `engineer-${at}`)
const sizes = [3, 4, 8, 16, 30, 60, 100, 150, 300]

/** The table of docs/guides/many-users.md, in Markdown. */
export function ringTable(): string {
  return [
    '| processes | sandboxes of the fullest, against the mean | of the emptiest | one process more moves | ideal | a lost process takes away, at most |',
    '|---:|---:|---:|---:|---:|---:|',
    ...sizes.map(rowOf),
  ].join('\n')
}

function rowOf(processes: number): string {
  const [before, after] = [placesWith(processes), placesWith(processes + 1)]
  const added = serverAt(processes)
  const moved = before.filter((server, at) => server !== after[at])
  const elsewhere = after.filter((server, at) => server !== before[at] && server !== added)
  if (elsewhere.length > 0) throw new Error(`${elsewhere.length} sandboxes moved between old ones`)
  const byServer = new Map<string, number>()
  for (const server of before) byServer.set(server, (byServer.get(server) ?? 0) + 1)
  const counts = Array.from({ length: processes }, (_, at) => byServer.get(serverAt(at)) ?? 0)
  const mean = SANDBOXES / processes
  return `| ${[
    processes,
    (Math.max(...counts) / mean).toFixed(2),
    (Math.min(...counts) / mean).toFixed(2),
    percent(moved.length / SANDBOXES),
    percent(1 / (processes + 1)),
    percent(Math.max(...counts) / SANDBOXES),
  ].join(' | ')} |`
}

function placesWith(processes: number): string[] {
  const ring = ringOf(Array.from({ length: processes }, (_, at) => serverAt(at)))
  return ids.map(ring)
}

function serverAt(at: number): string {
  return `sandbox-${at}:4010`
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`
}
