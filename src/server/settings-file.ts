/** Settings of the user, read from a file: with the keys of `PATCH /sandbox/settings`. */
import { stat } from 'node:fs/promises'
import type { Settings } from '../assumptions/register.ts'
import { refuse } from '../billing/refusal.ts'
import { camelKeys } from '../wire/case.ts'
import { SettingsPatch } from '../wire/settings.ts'
import type { Refusal } from '../world/refusal.ts'

/** Reads a file of settings; an empty one changes none. */
export async function readSettings(file: string): Promise<Partial<Settings> | Refusal> {
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => error)
  if (found instanceof Error) {
    const why = found.code === 'ENOENT' ? 'there is no such file' : found.message
    return refuse('invalid_request', `--settings ${file}: ${why}.`)
  }
  // Loaded only here: most starts do without the reader of YAML.
  const { readDataFile } = await import('./data-file.ts')
  const read = await readDataFile(file, SettingsPatch)
  if ('problems' in read) return refuse('invalid_request', read.problems.join('\n'))
  return camelKeys(read.data)
}
