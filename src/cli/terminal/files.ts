/** Files that options and arguments name. What is wrong with one is said with the name of its option. */
import { type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { access, constants, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileErrorText, makeFolder, permissionText } from '../../store/files.ts'
import { CannotRun, UsageError } from './usage.ts'

/** The text of a file. Throws `UsageError` where it cannot be read. */
export async function readNamed(name: string, file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new UsageError(`${name} ${file} cannot be read: ${fileErrorText(error)}.`)
  })
  return text.replace(BYTE_ORDER_MARK, '')
}

/** What Windows and some recorders of traffic begin a file with. */
export const BYTE_ORDER_MARK = /^\uFEFF/

/** Starts a program; `closed` resolves when it and its streams have ended. Throws `UsageError` for none, and `CannotRun`. */
export function startProgram(program: string, args: readonly string[], options: SpawnOptions) {
  if (program === '') throw new UsageError('<command> must begin with a program; got "".')
  try {
    const child = spawn(program, args, options)
    return { child, closed: once(child, 'close').catch((error) => cannotRun(program, error)) }
  } catch (error) {
    // Some that the system does not start are refused at once.
    return cannotRun(program, error as Error)
  }
}

function cannotRun(program: string, error: NodeJS.ErrnoException): never {
  const none = /^-/.test(program) ? 'options come before --' : 'there is no such program'
  const why = error.code === 'ENOENT' ? none : fileErrorText(error)
  throw new CannotRun(`${program} cannot be run: ${why}.`)
}

/** Makes a folder. Throws `CannotRun` where it cannot be made, or takes no files. */
export async function makeNamed(name: string, folder: string): Promise<void> {
  const made = makeFolder(folder).then(() => access(folder, constants.W_OK))
  await made.catch((error: Error) => {
    throw new CannotRun(`${name} ${folder} cannot be used: ${permissionText(folder, error)}.`)
  })
}

/** Writes a file, and makes its folder; null only tries, and leaves no file. Throws `CannotRun` where it cannot be written. */
export async function writeNamed(name: string, file: string, text: string | null): Promise<void> {
  try {
    await makeFolder(dirname(file))
    const found = statSync(file, { throwIfNoEntry: false })
    // Who reads a pipe would take the try for all there is.
    if (text === null && found?.isFIFO()) return
    await writeFile(file, text ?? '', { flag: text === null ? 'a' : 'w' })
    if (text === null && found === undefined) await rm(file)
  } catch (error) {
    throw new CannotRun(`${name} ${file} cannot be written: ${fileErrorText(error as Error)}.`)
  }
}
