/** What kills leave in a data folder: what was cut off half-way, and how far journals were folded. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { diagnose, isSound } from '../../src/sandbox/diagnosis.ts'
import { listSandboxes, PENDING, sandboxFolder } from '../../src/store/folder-store.ts'
import { filesOf, MANIFEST, MANIFEST_COPY, manifestIn } from '../../src/store/manifest.ts'
import { must } from './crash-call.ts'

export interface Traces {
  /** Folds of the default sandbox's journals into its state that were finished. */
  folds: number
  /** Kills that left files which belong to nothing: of a change that was cut off, before or after it counted. */
  halfWritten: number
}

/** Looks at a folder after each kill. */
export function tracesIn(folder: string): { readonly seen: Traces; look(): Promise<void> } {
  const seen = { folds: 0, halfWritten: 0 }
  let generation = 1
  return {
    seen,
    look: async () => {
      if (await hasLeftovers(folder)) seen.halfWritten += 1
      const { generation: now } = await readManifest(sandboxFolder(folder, 'default'))
      // Nothing but a fold writes the default one whole.
      if (now > generation) seen.folds += 1
      generation = now
    },
  }
}

/** What a kill leaves is no damage: the doctor must agree with the start that follows. */
export async function mustBeSound(folder: string, ids: readonly string[]): Promise<void> {
  for (const sandboxId of ids) {
    const diagnosis = await diagnose(folder, sandboxId)
    const { damages, documents } = diagnosis
    const damaged = documents.filter(({ damage }) => damage !== null)
    must(
      isSound(diagnosis),
      `the doctor finds in ${sandboxId}: ${JSON.stringify([...damages, ...damaged])}`,
    )
  }
}

async function hasLeftovers(folder: string): Promise<boolean> {
  if ((await readdir(join(folder, PENDING))).length > 0) return true
  for (const sandboxId of await listSandboxes(folder)) {
    const place = sandboxFolder(folder, sandboxId)
    const named = new Set([MANIFEST, MANIFEST_COPY, ...filesOf(await readManifest(place))])
    if ((await readdir(place)).some((name) => !named.has(name))) return true
  }
  return false
}

async function readManifest(place: string) {
  const manifest = manifestIn(place)
  await manifest.read()
  if (manifest.data === null) throw new Error(`${place} holds nothing`)
  return manifest.data
}
