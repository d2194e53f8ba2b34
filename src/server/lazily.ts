/**
 * Parts of the server that are loaded at their first call. Owns what is answered where one cannot be: the reason, and
 * the next call tries again.
 */
import { open } from 'node:fs/promises'
import { RefusalError } from '../surface/refusals.ts'
import { packageRoot } from '../version.ts'
import { holdMeter } from '../world/hold-meter.ts'

/** How many files are open at one time while a part is loaded, at the most. */
const FILES = 32

/** What is made at the first call, and again at the next one where that failed; throws `unavailable`, and logs why. */
export function loadLazily<Value>(
  part: string,
  log: (line: string) => void,
  load: () => Promise<Value>,
): () => Promise<Value> {
  let loaded: Promise<Value> | null = null
  return () => {
    loaded ??= probeFiles()
      .then(() => measureHold(`loading the ${part}`, load))
      .catch((error: Error) => {
        loaded = null
        const message = `The ${part} cannot be loaded: ${error.message}. The next call tries again.`
        log(message)
        throw new RefusalError('unavailable', message)
      })
    return loaded
  }
}

/** Loading may hold the event loop for long, which counts for the part and not for who asked for it. */
async function measureHold<Value>(operation: string, load: () => Promise<Value>): Promise<Value> {
  const run = holdMeter.begin(operation)
  try {
    return await load()
  } finally {
    holdMeter.mark(run)
    holdMeter.end(run)
  }
}

/** Throws where no more files can be opened: Node never tries again to import a module that it could not open. */
async function probeFiles(): Promise<void> {
  const tried = await Promise.allSettled(
    Array.from({ length: FILES }, () => open(new URL('package.json', packageRoot))),
  )
  for (const each of tried) if (each.status === 'fulfilled') await each.value.close()
  for (const each of tried) if (each.status === 'rejected') throw each.reason
}
