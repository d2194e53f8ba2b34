/** `doctor`: says what is damaged in a data folder and what can be saved, and saves it to another one when asked. */
import { readdir, stat } from 'node:fs/promises'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { diagnose, salvage } from '../sandbox/diagnosis.ts'
import { folderStore, listSandboxes } from '../store/folder-store.ts'
import { type LockMode, ownerOf } from '../store/lock.ts'
import { StoreError } from '../store/store.ts'
import { type DoctorReport, reportOnSandbox, type SandboxReport } from './doctor-report.ts'
import { printReport } from './doctor-text.ts'
import {
  type Configure,
  ExitCode,
  examplesText,
  lockModes,
  nameOf,
  readChoice,
  UsageError,
  variableOption,
} from './usage.ts'

/** Adds what `doctor` takes. */
export const doctorCommand: Configure = (command) => {
  command
    .addOption(variableOption('--data <folder>', 'the folder to look at').default('data'))
    .addOption(
      variableOption('--lock <by>', 'what keeps other processes out: kernel or none').default(
        'kernel',
      ),
    )
    .option('--save-to <folder>', 'write what can be saved to this folder, which must be new')
    .option('--json', 'print the report as JSON')
    .addHelpText('after', examplesText('doctor --data data', 'doctor --data data --save-to saved'))
    .action((options: DoctorValues) => report(options, nameOf(command, 'lock')))
}

interface DoctorValues {
  readonly data: string
  readonly lock: string
  readonly saveTo?: string
  readonly json?: boolean
}

/** Prints the report; ends with 1 when anything is damaged, whether or not it could be saved. */
async function report(options: DoctorValues, lockName: string): Promise<void> {
  const { data: folder, saveTo: target } = options
  const lock = readChoice(lockName, options.lock, lockModes)
  await checkFolder(folder)
  if (target !== undefined) await checkTarget(target, folder)
  const found = await examine(folder, { target: target ?? null, lock })
  process.stdout.write(options.json ? `${JSON.stringify(found, null, 2)}\n` : printReport(found))
  if (!found.sound) process.exitCode = ExitCode.no
}

/** Where what is saved goes, if anywhere, and how folders are locked. */
interface Saving {
  readonly target: string | null
  readonly lock: LockMode
}

async function examine(folder: string, { target, lock }: Saving): Promise<DoctorReport> {
  const owner = lock === 'none' ? null : ownerOf(folder)
  const options = { durability: 'commit', lock, warn: () => undefined } as const
  const store = target === null ? null : await folderStore(target, options)
  const sandboxes: SandboxReport[] = []
  try {
    // One after the other: each may be as large as the memory allows.
    for (const sandboxId of await listSandboxes(folder)) {
      const diagnosis = await diagnose(folder, sandboxId)
      const saved = store === null ? null : await salvage(diagnosis, store)
      sandboxes.push(reportOnSandbox(diagnosis, saved))
    }
  } finally {
    await store?.close()
  }
  return {
    format: 4,
    folder,
    lock,
    in_use_by: owner,
    sound: sandboxes.every(({ sound }) => sound),
    saved_to: target,
    sandboxes,
  }
}

async function checkFolder(folder: string): Promise<void> {
  const found = await stat(folder).catch((error: Error) => {
    throw new StoreError(`--data "${folder}" cannot be read: ${error.message}`)
  })
  if (!found.isDirectory()) throw new StoreError(`--data "${folder}" is not a folder`)
}

/** Saving needs a new or empty folder, so that it overwrites nothing. */
async function checkTarget(target: string, folder: string): Promise<void> {
  const rule = 'it must be a folder elsewhere that is empty or does not exist.'
  const path = relative(resolve(folder), resolve(target))
  if (!isAbsolute(path) && path.split(sep)[0] !== '..') {
    throw new UsageError(`--save-to "${target}" lies in the folder that is examined; ${rule}`)
  }
  const names = await readdir(target).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw new UsageError(`--save-to "${target}" cannot be used: ${error.message}; ${rule}`)
  })
  if (names.length > 0) throw new UsageError(`--save-to "${target}" is not empty; ${rule}`)
}
