/** Files that options and arguments name. What is wrong with one is said with the name of its option. */
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

/** Throws `CannotRun` for a program that the system did not start. */
export function cannotRun(program: string, error: NodeJS.ErrnoException): never {
  const none = /^-/.test(program) ? 'options come before --' : 'there is no such program'
  const why = error.code === 'ENOENT' ? none : fileErrorText(error)
  throw new CannotRun(`${program} cannot be run: ${why}.`)
}

/** Starts a program by `spawn`, which throws for some of them at once. Throws `UsageError` for none, and `CannotRun`. */
export function startProgram<Child>(program: string, spawn: () => Child): Child {
  if (program === '') throw new UsageError('<command> must begin with a program; got "".')
  try {
    return spawn()
  } catch (error) {
    return cannotRun(program, error as Error)
  }
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
