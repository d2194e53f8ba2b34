/**
 * `doctor`: reports what is damaged in a data folder and what can be saved, and saves it to another folder on request. The
 * shape of the report is stable, as `--output json` prints it: a change of meaning gets another format.
 */
import { readdir, stat } from 'node:fs/promises'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { type Diagnosis, diagnose, isSound, type Saved, salvage } from '../../sandbox/diagnosis.ts'
import { fileErrorText } from '../../store/files.ts'
import { folderStore, listSandboxes } from '../../store/folder-store.ts'
import { type LockMode, ownerOf } from '../../store/lock.ts'
import { type DocumentKind, type Store, StoreError } from '../../store/store.ts'
import { countText, typedWord } from '../../wire/common/text.ts'
import { addOutputOptions, type OutputValues, print } from '../terminal/output.ts'
import { withStyle } from '../terminal/terminal.ts'
import {
  addExamples,
  addLockOption,
  type Configure,
  ExitCode,
  UsageError,
  variableOption,
} from '../terminal/usage.ts'

export const doctorCommand: Configure = (command) => {
  addExamples(command, 'doctor --data data', 'doctor --data data --save-to saved')
  command.addOption(variableOption('--data <folder>', 'the folder to look at').default('data'))
  addOutputOptions(addLockOption(command))
    .option('--save-to <folder>', 'write what can be recovered to this new folder')
    .action(runDoctor)
}

interface DoctorValues extends OutputValues {
  readonly data: string
  readonly lock: LockMode
  readonly saveTo?: string
}

/** Prints the report; ends with 1 when anything is damaged, whether or not it could be saved. */
async function runDoctor(values: DoctorValues): Promise<void> {
  const { data: folder, lock, saveTo } = values
  await checkFolder(folder)
  if (saveTo !== undefined) await checkTarget(saveTo, folder)
  const found = await examineFolder(folder, saveTo ?? null, lock)
  await print(values, {
    json: `${JSON.stringify(found, null, 2)}\n`,
    table: () => printReport(found),
    records: () => found.sandboxes,
  })
  if (!found.sound) process.exitCode = ExitCode.no
}

export type DoctorReport = Awaited<ReturnType<typeof examineFolder>>
type SandboxReport = DoctorReport['sandboxes'][number]

async function examineFolder(folder: string, target: string | null, lock: LockMode) {
  /** The process that uses the folder; null if no process does, and if that was not examined. */
  const owner = lock === 'none' ? null : ownerOf(folder)
  const options = { durability: 'commit', lock, warn: () => undefined } as const
  const store = target === null ? null : await folderStore(target, options)
  const sandboxes = await examineSandboxes(folder, store).finally(() => store?.close())
  const sound = sandboxes.every((each) => each.sound)
  return { format: 4, folder, lock, in_use_by: owner, sound, saved_to: target, sandboxes }
}

async function examineSandboxes(folder: string, store: Store | null) {
  const sandboxes = []
  // One after the other: each may be as large as the memory allows.
  for (const sandboxId of await listSandboxes(folder)) {
    const diagnosis = await diagnose(folder, sandboxId)
    sandboxes.push(reportOn(diagnosis, store && (await salvage(diagnosis, store))))
  }
  return sandboxes
}

function reportOn(diagnosis: Diagnosis, saved: Saved | null) {
  const { sandboxId, damages, warnings, world } = diagnosis
  return {
    sandbox_id: sandboxId,
    /** Whether `serve` accepts it as it is, and every checkpoint and pact is usable. */
    sound: isSound(diagnosis),
    damages,
    /** What `serve` repairs by itself. */
    warnings,
    /** The newest valid state; null if no state is valid. */
    savable: world && { now: world.clock.now() },
    checkpoints: documentsOf(diagnosis, 'checkpoints'),
    pacts: documentsOf(diagnosis, 'pacts'),
    /** What `--save-to` wrote of it; null if nothing. */
    saved,
  }
}

function documentsOf({ documents }: Diagnosis, wanted: DocumentKind) {
  return documents
    .filter(({ kind }) => kind === wanted)
    .map(({ name, damage }) => ({ name, sound: damage === null, damage }))
}

async function checkFolder(folder: string): Promise<void> {
  const found = await stat(folder).catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'ENOENT' ? 'there is no such folder' : fileErrorText(error)
    throw new StoreError(`--data "${folder}" cannot be read: ${why}.`)
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
    throw new UsageError(`--save-to "${target}" cannot be used: ${fileErrorText(error)}; ${rule}`)
  })
  if (names.length > 0) throw new UsageError(`--save-to "${target}" is not empty; ${rule}`)
}

/** The report as sentences: what is wrong with each sandbox, what can be saved of it, and how to go on. */
function printReport(report: DoctorReport): string {
  const { folder, lock, in_use_by: owner, sandboxes, sound, saved_to: target } = report
  const noOwner =
    lock === 'none'
      ? '; stop any process that uses it for an answer that holds.'
      : ', which no process has in use'
  const use =
    owner === null
      ? noOwner
      : `, in use by ${owner}: what it writes meanwhile may look damaged; stop it for an answer that holds.`
  const damaged = sandboxes.filter((each) => !each.sound).map((each) => each.sandbox_id)
  const sum = sound ? 'Everything is sound.' : `Damaged: ${damaged.join(', ')}.`
  const next = `To save what can be saved: npx subscription-sandbox doctor --data ${typedWord(folder)} --save-to NEWDIR`
  const isSaved = sandboxes.some(({ saved }) => saved !== null)
  const where = isSaved
    ? `What could be saved is in ${target}; serve it with --data ${typedWord(target ?? '')}.`
    : 'Nothing could be saved.'
  const end = target === null ? [sum, ...(sound ? [] : [next])] : [`${sum} ${where}`]
  const lines = [
    `${folder}${use}`,
    ...sandboxes.flatMap((each) => [
      ...printSandbox(each),
      ...(target === null ? [] : [printSaved(each.saved)]),
    ]),
    '',
    ...(sandboxes.length === 0 ? ['It holds no sandbox.'] : end),
  ]
  return `${lines.join('\n')}\n`
}

function printSandbox(sandbox: SandboxReport): string[] {
  const { sandbox_id: id, sound, damages, warnings, savable, checkpoints, pacts } = sandbox
  const state = savable === null ? 'nothing' : `virtual time ${savable.now}`
  const counts = `${countText(checkpoints.length, 'checkpoint')}, ${countText(pacts.length, 'pact')}`
  const damagedDocuments = (kind: string, documents: typeof pacts) =>
    documents.flatMap(({ name, damage }) =>
      damage === null ? [] : `  ${kind} "${name}": ${damage.at} ${damage.reason}`,
    )
  return [
    `${id}  ${sound ? `${withStyle('green', 'sound')}: ${state}, ${counts}` : withStyle('red', 'DAMAGED')}`,
    ...damages.map(({ at, reason }) => `  ${at} ${reason}`),
    ...warnings.map((warning) => `  warning: ${warning}`),
    ...damagedDocuments('checkpoint', checkpoints),
    ...damagedDocuments('pact', pacts),
    ...(sound ? [] : printSavable(sandbox)),
  ]
}

function printSavable({ savable, checkpoints, pacts, damages }: SandboxReport): string[] {
  const soundOnes = (documents: typeof pacts) =>
    documents.filter(({ sound }) => sound).map(({ name }) => `"${name}"`)
  const documentLine = (kind: string, names: readonly string[]) =>
    names.length === 0 ? [] : [`  ${kind} that can be saved: ${names.join(', ')}.`]
  const newest = soundOnes(checkpoints).at(-1)
  const instead =
    newest === undefined
      ? 'nothing can be saved in its place'
      : `the newest sound checkpoint, ${newest}, can be saved in its place`
  const lost = damages.length === 0 ? 'all of it' : 'what is after the damage cannot'
  return [
    savable === null
      ? `  Its state cannot be saved; ${instead}.`
      : `  Can be saved: its state up to virtual time ${savable.now}; ${lost}.`,
    ...documentLine('Checkpoints', soundOnes(checkpoints)),
    ...documentLine('Pacts', soundOnes(pacts)),
  ]
}

function printSaved(saved: Saved | null): string {
  if (saved === null) return '  NOT saved.'
  const what = {
    state: 'state',
    checkpoint: `checkpoint "${saved.checkpoint}" as state`,
    nothing: 'its pacts, in an empty sandbox',
  }
  return `  Saved: ${what[saved.from]}, virtual time ${saved.now}.`
}
