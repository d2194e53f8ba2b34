/** The report of `doctor`, as `--json` prints it. Its shape is stable: a change of meaning gets another format. */
import { type Damage, type Diagnosis, isSound, type Saved } from '../sandbox/diagnosis.ts'
import type { LockMode } from '../store/lock.ts'
import type { DocumentKind } from '../store/store.ts'

/** What is said of a checkpoint or a pact. */
interface DocumentReport {
  readonly name: string
  readonly sound: boolean
  readonly damage: Damage | null
}

/** What is said of one sandbox. */
export interface SandboxReport {
  readonly sandbox_id: string
  /** Whether `serve` takes it as it is, and every checkpoint and pact can be used. */
  readonly sound: boolean
  readonly damages: readonly Damage[]
  /** What `serve` mends by itself. */
  readonly warnings: readonly string[]
  /** The newest valid state; null if no state is valid. */
  readonly savable: { readonly now: string } | null
  readonly checkpoints: readonly DocumentReport[]
  readonly pacts: readonly DocumentReport[]
  /** What `--save-to` wrote of it; null where nothing was. */
  readonly saved: Saved | null
}

export interface DoctorReport {
  readonly format: 4
  readonly folder: string
  /** How it was examined whether a process has the folder; with `none` it was not. */
  readonly lock: LockMode
  /** The process that has the folder while this is said; null when none does, or when it was not examined. */
  readonly in_use_by: string | null
  readonly sound: boolean
  readonly saved_to: string | null
  readonly sandboxes: readonly SandboxReport[]
}

/** What a diagnosis says, without the worlds that it read. */
export function reportOnSandbox(diagnosis: Diagnosis, saved: Saved | null): SandboxReport {
  const { sandboxId, damages, warnings, world } = diagnosis
  return {
    sandbox_id: sandboxId,
    sound: isSound(diagnosis),
    damages,
    warnings,
    savable: world && { now: world.clock.now() },
    checkpoints: documentsOf(diagnosis, 'checkpoints'),
    pacts: documentsOf(diagnosis, 'pacts'),
    saved,
  }
}

function documentsOf({ documents }: Diagnosis, wanted: DocumentKind): DocumentReport[] {
  return documents
    .filter(({ kind }) => kind === wanted)
    .map(({ name, damage }) => ({ name, sound: damage === null, damage }))
}
