/**
 * Whether the disk accepts writes. Owns the newest failed write, which counts until a change to a sandbox or a trial
 * write succeeds. A trial runs only when `failure` is called after a failure.
 */
import { rm } from 'node:fs/promises'
import { withFile } from './files.ts'

/** Larger than most changes, so that the last free bytes of a disk do not count. */
const TRIAL_BYTES = 64 * 1024

export interface WriteWatch {
  succeeded(): void
  failed(reason: string): void
  /** Why the disk refuses writes; null if it accepts them. */
  failure(): Promise<string | null>
}

/** Watches the writes of a store; a trial writes and removes the file `path`. */
export function writeWatch(path: string, isOurs: () => boolean): WriteWatch {
  let failure: string | null = null
  let trial: Promise<void> | null = null
  const endTrial = (isTaken: boolean) => {
    if (isTaken) failure = null
    trial = null
  }
  return {
    succeeded: () => {
      failure = null
    },
    failed: (reason) => {
      failure = reason
    },
    failure: async () => {
      if (failure === null) return null
      trial ??= tryWrite(path, isOurs).then(endTrial)
      await trial
      return failure
    },
  }
}

async function tryWrite(path: string, isOurs: () => boolean): Promise<boolean> {
  try {
    await withFile(path, 'w', async (handle) => {
      await handle.writeFile(Buffer.alloc(TRIAL_BYTES))
      await handle.sync()
    })
    return isOurs()
  } catch {
    return false
  } finally {
    await rm(path, { force: true }).catch(() => undefined)
  }
}
