/** The report of `doctor`, as sentences for people. */
import type { DoctorReport, SandboxReport } from './doctor-report.ts'

/** Prints a report: a line for each sandbox, what is wrong with it and what can be saved, and how to go on. */
export function printReport(report: DoctorReport): string {
  const lines = [
    ...printOwner(report),
    ...report.sandboxes.flatMap((each) => printSandbox(each, report.saved_to !== null)),
    '',
    ...printSum(report),
  ]
  return `${lines.join('\n')}\n`
}

function printOwner({ folder, lock, in_use_by: owner }: DoctorReport): string[] {
  if (lock === 'none') return [`${folder}; stop any process that uses it for an answer that holds.`]
  if (owner === null) return [`${folder}, which no process has in use`]
  return [
    `${folder}, in use by ${owner}: what it writes meanwhile may look damaged; stop it for an answer that holds.`,
  ]
}

function printSandbox(sandbox: SandboxReport, isSaving: boolean): string[] {
  const { sandbox_id: id, sound, damages, warnings, savable, checkpoints, pacts, saved } = sandbox
  const upTo = savable === null ? 'nothing' : `virtual time ${savable.now}`
  const beside = `${counted(checkpoints.length, 'checkpoint')}, ${counted(pacts.length, 'pact')}`
  const lines = [sound ? `${id}  sound: ${upTo}, ${beside}` : `${id}  DAMAGED`]
  lines.push(...damages.map(({ at, reason }) => `  ${at} ${reason}`))
  lines.push(...warnings.map((warning) => `  warning: ${warning}`))
  for (const [kind, documents] of Object.entries({ checkpoint: checkpoints, pact: pacts })) {
    for (const { name, damage } of documents) {
      if (damage !== null) lines.push(`  ${kind} "${name}": ${damage.at} ${damage.reason}`)
    }
  }
  if (!sound) lines.push(...printSavable(sandbox))
  if (isSaving) lines.push(printSaved(saved))
  return lines
}

function printSavable({ savable, checkpoints, pacts, damages }: SandboxReport): string[] {
  const sound = (documents: typeof pacts) =>
    documents.filter((each) => each.sound).map(({ name }) => `"${name}"`)
  const newest = sound(checkpoints).at(-1)
  const instead =
    newest === undefined
      ? 'nothing can be saved in its place'
      : `the newest sound checkpoint, ${newest}, can be saved in its place`
  const lost = damages.length === 0 ? 'all of it' : 'what is after the damage cannot'
  const lines = [
    savable === null
      ? `  Its state cannot be saved; ${instead}.`
      : `  Can be saved: its state up to virtual time ${savable.now}; ${lost}.`,
  ]
  for (const [kind, documents] of Object.entries({ Checkpoints: checkpoints, Pacts: pacts })) {
    const good = sound(documents)
    if (good.length > 0) lines.push(`  ${kind} that can be saved: ${good.join(', ')}.`)
  }
  return lines
}

function counted(count: number, one: string): string {
  return `${count} ${count === 1 ? one : `${one}s`}`
}

function printSaved(saved: SandboxReport['saved']): string {
  if (saved === null) return '  NOT saved.'
  const what = {
    state: 'state',
    checkpoint: `checkpoint "${saved.checkpoint}" as state`,
    nothing: 'its pacts, in an empty sandbox',
  }
  return `  Saved: ${what[saved.from]}, virtual time ${saved.now}.`
}

function printSum({ folder, sandboxes, sound, saved_to: target }: DoctorReport): string[] {
  if (sound && sandboxes.length === 0) return ['It holds no sandbox.']
  const damaged = sandboxes.filter((each) => !each.sound).map((each) => each.sandbox_id)
  const sum = sound ? 'Everything is sound.' : `Damaged: ${damaged.join(', ')}.`
  if (target !== null) {
    return [`${sum} What could be saved is in ${target}; serve it with --data ${target}.`]
  }
  const next = `To save what can be saved: subscription-sandbox doctor --data ${folder} --save-to NEWDIR`
  return sound ? [sum] : [sum, next]
}
