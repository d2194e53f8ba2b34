/** Settings of the user, read from a file: with the keys of `PATCH /sandbox/settings`. */
import { readdir, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Settings } from '../assumptions/register.ts'
import { refuse } from '../billing/refusal.ts'
import { fileErrorText } from '../store/files.ts'
import { packageRoot } from '../version.ts'
import { camelKeys } from '../wire/common/case.ts'
import { SettingsPatch } from '../wire/sandbox/settings.ts'
import type { Refusal } from '../world/refusal.ts'
import { readDataFile } from './data-file.ts'

/** The presets: files of settings that the package has, by name. */
const presets = new URL('fixtures/settings/', packageRoot)

/** Reads a preset, or a file of settings; an empty one changes none. */
export async function readSettings(named: string): Promise<Partial<Settings> | Refusal> {
  const names = (await readdir(presets)).map((each) => basename(each, '.yaml')).sort()
  const file = names.includes(named) ? fileURLToPath(new URL(`${named}.yaml`, presets)) : named
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => error)
  if (found instanceof Error) {
    const known = /[./]/.test(named) ? '' : `, and the presets are ${names.join(', ')}`
    const why = found.code === 'ENOENT' ? `there is no such file${known}` : fileErrorText(found)
    return refuse('invalid_request', `--settings ${named || '""'}: ${why}.`)
  }
  const read = await readDataFile(file, SettingsPatch)
  if ('problems' in read) return refuse('invalid_request', read.problems.join('\n'))
  return camelKeys(read.data)
}
