/** Reading a data folder with nothing but Node: what it costs to parse what is there. */
import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** Parses each line of the files that a sandbox is kept in; answers how long that took, in milliseconds. */
export async function parsedAfterMs(place: string): Promise<number> {
  const startedAt = performance.now()
  let lines = 0
  for (const name of (await readdir(place)).filter((each) => each.endsWith('.ndjson'))) {
    const input = createReadStream(join(place, name))
    for await (const line of createInterface({ input })) if (JSON.parse(line) !== null) lines += 1
  }
  if (lines === 0) throw new Error(`${place} holds no line`)
  return performance.now() - startedAt
}
