/** Files that options and arguments name. What is wrong with one is said with the name of its option. */
import { readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileErrorText, makeFolder } from '../../store/files.ts'
import { CannotRun, UsageError } from './usage.ts'

/** The text of a file. Throws `UsageError` where it cannot be read. */
export async function readNamed(name: string, file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: Error) => {
    throw new UsageError(`${name} ${file} cannot be read: ${fileErrorText(error)}.`)
  })
}

/** Throws `CannotRun` for a program that the system did not start. */
export function cannotRun(program: string, error: NodeJS.ErrnoException): never {
  const none = /^-/.test(program) ? 'options come before --' : 'there is no such program'
  const why = error.code === 'ENOENT' ? none : fileErrorText(error)
  throw new CannotRun(`${program} cannot be run: ${why}.`)
}

/** Writes a file, and makes its folder. Throws `CannotRun` where it cannot be written. */
export async function writeNamed(name: string, file: string, text: string): Promise<void> {
  try {
    await makeFolder(dirname(file))
    await writeFile(file, text)
  } catch (error) {
    throw new CannotRun(`${name} ${file} cannot be written: ${fileErrorText(error as Error)}.`)
  }
}
