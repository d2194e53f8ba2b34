/**
 * The ring of nginx: which server of an `upstream` with `hash ... consistent` gets a request. It has the same points as
 * nginx, so that sandboxes can be moved to where another configuration will look for them.
 */
import { crc32 } from 'node:zlib'

/** The points of each server on the ring, as in nginx. */
const POINTS = 160

/** Answers the server of a sandbox. */
export type Ring = (sandboxId: string) => string

/** The ring of these servers, which are texts such as `sandbox-0:4010`. */
export function ringOf(servers: readonly string[]): Ring {
  const points = servers.flatMap(pointsOf).sort((one, other) => one.at - other.at)
  const [first] = points
  if (first === undefined) throw new Error('A ring has at least one server')
  return (sandboxId) => {
    const wanted = crc32(groupOf(sandboxId))
    return (points.find(({ at }) => at >= wanted) ?? first).server
  }
}

/** Each point hashes the one before, after the host and the port. */
function pointsOf(server: string): { readonly at: number; readonly server: string }[] {
  const [host = '', port = ''] = server.split(/:(?=\d+$)/)
  const base = crc32(`${host}\0${port}`)
  const before = Buffer.alloc(4)
  return Array.from({ length: POINTS }, () => {
    const at = crc32(before, base)
    before.writeUInt32LE(at)
    return { at, server }
  })
}

/** What `$group` is in deploy/nginx.conf: sandboxes of one group share a process. */
function groupOf(sandboxId: string): string {
  if (sandboxId.startsWith('examples-')) return 'examples'
  return /^(.+?)--/.exec(sandboxId)?.[1] ?? sandboxId
}
