/** The report of `doctor`, as `--json` prints it. Its shape is stable: a change of meaning gets another format. */
import { type Diagnosis, isSound } from '../sandbox/diagnosis.ts'
import type { Saved } from '../sandbox/salvage.ts'
import type { LockMode, Owner } from '../store/lock.ts'

interface DamageReport {
  /** The file, and the line or lines where there are any. */
  readonly at: string
  readonly reason: string
}

/** What is said of one sandbox. */
export interface SandboxReport {
  readonly sandbox_id: string
  /** Whether `serve` takes it as it is, and every checkpoint can be returned to. */
  readonly sound: boolean
  readonly damages: readonly DamageReport[]
  /** What `serve` mends by itself. */
  readonly warnings: readonly string[]
  /** The newest state that checks; null where there is none. */
  readonly savable: {
    readonly now: string
    /** The last journal entry that it includes. */
    readonly entry: number
    /** Whole lines of the journal that it does not include; null where the journal is missing. */
    readonly lines_lost: number | null
    /** False where only `--include-unverified` saves it. */
    readonly verified: boolean
  } | null
  readonly checkpoints: readonly {
    readonly name: string
    readonly sound: boolean
    readonly damage: DamageReport | null
  }[]
  /** What `--save-to` wrote of it; null where nothing was. */
  readonly saved: Saved | null
}

export interface DoctorReport {
  readonly format: 1
  readonly folder: string
  /** How it was examined whether a process has the folder; with `none` it was not. */
  readonly lock: LockMode
  /** The process that has the folder while this is said; null when none does, or when it was not examined. */
  readonly in_use_by: Owner | null
  readonly sound: boolean
  readonly saved_to: string | null
  readonly sandboxes: readonly SandboxReport[]
}

/** What a diagnosis says, without the worlds that it read. */
export function reportOf(diagnosis: Diagnosis, saved: Saved | null): SandboxReport {
  const { sandboxId, damages, warnings, savable, checkpoints } = diagnosis
  return {
    sandbox_id: sandboxId,
    sound: isSound(diagnosis),
    damages,
    warnings,
    savable:
      savable === null
        ? null
        : {
            now: savable.now,
            entry: savable.entry,
            lines_lost: savable.linesLost,
            verified: savable.isVerified,
          },
    checkpoints: checkpoints.map(({ name, damage }) => ({ name, sound: damage === null, damage })),
    saved,
  }
}
