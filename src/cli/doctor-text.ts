/** The report of `doctor`, as sentences for people. */
import { nameOf } from '../store/lock.ts'
import type { DoctorReport, SandboxReport } from './doctor-report.ts'

/** Tells a report: a line for each sandbox, what is wrong with it and what can be saved, and how to go on. */
export function tellReport(report: DoctorReport): string {
  const lines = [
    ...tellOwner(report),
    ...report.sandboxes.flatMap((each) => tellSandbox(each, report.saved_to !== null)),
    '',
    ...tellSum(report),
  ]
  return `${lines.join('\n')}\n`
}

function tellOwner({ folder, lock, in_use_by: owner }: DoctorReport): string[] {
  if (lock === 'none') return [`${folder}; stop any process that uses it for an answer that holds.`]
  if (owner === null) return [`${folder}, which no process has in use`]
  return [
    `${folder}, in use by ${nameOf(owner)}: what it writes meanwhile may look damaged; stop it for an answer that holds.`,
  ]
}

function tellSandbox(sandbox: SandboxReport, isSaving: boolean): string[] {
  const { sandbox_id: id, sound, damages, warnings, savable, checkpoints, saved } = sandbox
  const upTo =
    savable === null ? 'nothing kept yet' : `up to entry ${savable.entry}, ${savable.now}`
  const count = checkpoints.length === 1 ? '1 checkpoint' : `${checkpoints.length} checkpoints`
  const lines = [sound ? `${id}  sound: ${upTo}, ${count}` : `${id}  DAMAGED`]
  lines.push(...damages.map(({ at, reason }) => `  ${at} ${reason}`))
  lines.push(...warnings.map((warning) => `  warning: ${warning}`))
  for (const { name, damage } of checkpoints) {
    if (damage !== null) lines.push(`  checkpoint "${name}": ${damage.at} ${damage.reason}`)
  }
  if (!sound) lines.push(...tellSavable(sandbox))
  if (isSaving) lines.push(tellSaved(saved))
  return lines
}

function tellSavable({ savable, checkpoints }: SandboxReport): string[] {
  const good = checkpoints.filter(({ sound }) => sound).map(({ name }) => `"${name}"`)
  const lines = [tellState({ savable, newest: good.at(-1) })]
  if (good.length > 0) lines.push(`  Checkpoints that can be saved: ${good.join(', ')}.`)
  return lines
}

function tellState({
  savable,
  newest,
}: Pick<SandboxReport, 'savable'> & { readonly newest: string | undefined }): string {
  if (savable?.verified === true) {
    return `  Can be saved: everything up to entry ${savable.entry}, virtual time ${savable.now}; ${tellLost(savable.lines_lost)}.`
  }
  const instead =
    newest === undefined
      ? 'nothing can be saved in its place'
      : `the newest sound checkpoint, ${newest}, can be saved in its place`
  if (savable === null) return `  Its state cannot be saved; ${instead}.`
  return `  Its state up to entry ${savable.entry}, virtual time ${savable.now}, can be read and does not contradict itself, but nothing shows that it is what was written: only --include-unverified saves it (${tellLost(savable.lines_lost)}). Without that, ${instead}.`
}

function tellLost(lines: number | null): string {
  if (lines === null) return 'what the missing journal held after it cannot'
  if (lines === 0) return 'nothing that was answered is missing'
  return lines === 1
    ? '1 line of the journal after it cannot'
    : `${lines} lines of the journal after it cannot`
}

function tellSaved(saved: SandboxReport['saved']): string {
  if (saved === null) return '  NOT saved.'
  const what = saved.checkpoint === null ? saved.from : `checkpoint "${saved.checkpoint}" as state`
  return `  Saved: ${what}, virtual time ${saved.now}.`
}

function tellSum({ folder, sandboxes, sound, saved_to: target }: DoctorReport): string[] {
  if (sound && sandboxes.length === 0) return ['It holds no sandbox.']
  const damaged = sandboxes.filter((each) => !each.sound).map((each) => each.sandbox_id)
  const sum = sound ? 'Everything is sound.' : `Damaged: ${damaged.join(', ')}.`
  if (target !== null) {
    return [`${sum} What could be saved is in ${target}; serve it with --data ${target}.`]
  }
  const next = `To save what can be saved: subscription-sandbox doctor --data ${folder} --save-to NEWDIR`
  return sound ? [sum] : [sum, next]
}
