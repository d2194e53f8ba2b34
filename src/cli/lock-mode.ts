/** The option `--lock`, which every command that writes a data folder has. */
import type { LockMode } from '../store/lock.ts'
import { UsageError } from './usage.ts'

/** Reads the value of `--lock`. Throws `UsageError` for others. */
export function readLockMode(text: string): LockMode {
  if (text === 'kernel' || text === 'none') return text
  throw new UsageError(`--lock must be one of: kernel, none; got "${text}".`)
}
