/**
 * The versions of what a sandbox writes down of itself. The state document and the journal entry hold the same records,
 * so they share a version, and a step changes both; whoever changes a record adds the step that leads to it.
 */
import { bringUp, type Step, VersionError, type Versions } from '../store/versions.ts'
import { StateDocumentError } from './state-checks.ts'

/** What every version says of itself. */
interface Formatted {
  readonly format: number
}

/** What leads from one version to the next. */
interface StateStep {
  readonly document: Step
  readonly entry: Step
}

export interface StateVersions {
  readonly current: number
  /** The step that leads on from each older version. */
  readonly steps: Readonly<Record<number, StateStep>>
}

/** The product's own. */
export const stateVersions: StateVersions = {
  current: 2,
  steps: {
    // Clocks came to run: before, every one was frozen.
    1: {
      document: (older) => {
        const { origin, clock, ...rest } = older as Formatted & Record<'origin' | 'clock', object>
        return {
          ...rest,
          format: 2,
          origin: { ...origin, startsRunning: false },
          clock: { ...clock, offsetMs: null },
        }
      },
      entry: (older) => ({ ...(older as Formatted), format: 2 }),
    },
  },
}

/** A document as the current version has it. One without a version is left to the schema to refuse. */
export function currentDocument(document: unknown, versions: StateVersions): unknown {
  const found = formatOf(document)
  if (found === versions.current || typeof found !== 'number') return document
  return upgrade(document, { found, field: 'format', versions: stepsOf(versions, 'document') })
}

/** A journal entry as the current version has it; `name` is what it is called where it cannot be. */
export function currentEntry(entry: unknown, name: string, versions: StateVersions): unknown {
  // The first journals, which were of format 1, did not say so.
  const found = formatOf(entry) ?? 1
  if (found === versions.current || typeof found !== 'number') return entry
  const field = `${name}.format`
  return upgrade(entry, { found, field, versions: stepsOf(versions, 'entry') })
}

function formatOf(value: unknown): unknown {
  return (value as { format?: unknown } | null)?.format
}

interface Upgrade {
  readonly found: number
  readonly field: string
  readonly versions: Versions
}

function upgrade(value: unknown, { found, field, versions }: Upgrade): unknown {
  try {
    return bringUp(value, found, versions)
  } catch (error) {
    if (!(error instanceof VersionError)) throw error
    throw new StateDocumentError(field, `is ${error.message}`)
  }
}

function stepsOf({ current, steps }: StateVersions, of: keyof StateStep): Versions {
  const entries = Object.entries(steps).map(([version, step]) => [version, step[of]] as const)
  return { current, steps: Object.fromEntries(entries) }
}
