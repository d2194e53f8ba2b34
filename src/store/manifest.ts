/**
 * The manifest of a sandbox's folder, `sandbox.json`: the files that belong to the sandbox, and the expected extent of
 * each. A file that it does not name is ignored, so everything changes in one step, with the manifest. lowdb reads and
 * writes it. Owns the checks that state and journal fit it.
 */
import { copyFileSync, existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { crc32 } from 'node:zlib'
import { type Adapter, Low } from 'lowdb'
import * as z from 'zod'
import { requireRegularFile, runBoth, syncPath } from './files.ts'
import { type Extent, LineReader, readWhole, replaceLines, writeLines } from './lines.ts'
import { type DocumentKind, documentKinds, StoreError } from './store.ts'

const Count = z.int().min(0)
const extentFields = { lines: Count, bytes: Count, sum: Count }

/** A document beside the sandbox: its description, and its file. */
const ManifestDocument = z.strictObject({ about: z.unknown(), file: z.string(), ...extentFields })
export type ManifestDocument = z.infer<typeof ManifestDocument>

const Manifest = z.strictObject({
  /** Random. The checksums of journals begin with it, so that the journal of another sandbox is invalid. */
  id: z.string(),
  /** Names the state, `state-<generation>.ndjson`, and the journal of the changes since. */
  generation: z.int().positive(),
  state: z.strictObject(extentFields),
  /** The minimum number of lines in the journal when this was written. */
  journalLines: Count,
  documents: z.record(z.enum(documentKinds), z.array(ManifestDocument)),
})
export type Manifest = z.infer<typeof Manifest>

const FORMAT = 7

export const MANIFEST = 'sandbox.json'

/** A copy beside the manifest, for `doctor` in case the manifest is damaged. */
export const MANIFEST_COPY = 'sandbox.copy.json'

/** The manifest of a folder, or its copy. Its data is null until it is read or first written. */
export function manifestIn(folder: string, name = MANIFEST): Low<Manifest | null> {
  return new Low<Manifest | null>(manifestFile(join(folder, name)), null)
}

/** lowdb's adapter: a file of one line, which is replaced and never changed in place. */
function manifestFile(path: string): Adapter<Manifest | null> {
  return {
    read: async () => {
      let manifest: Manifest | null = null
      for await (const entry of readWhole(path)) manifest = parse(path, entry)
      return manifest
    },
    write: async (manifest) => {
      const lines = [{ format: FORMAT, sandbox: manifest }]
      // The folder of a new sandbox is not in its place yet: nothing reads an unfinished file there.
      if (existsSync(path)) await replaceLines(path, lines)
      else await runBoth(writeLines(path, lines), syncPath(dirname(path)))
      copyManifest(path, join(dirname(path), MANIFEST_COPY))
    },
  }
}

/** Only `doctor` uses the copy: a failure to write it is ignored. */
function copyManifest(path: string, copy: string): void {
  try {
    requireRegularFile(copy)
    copyFileSync(path, copy)
  } catch {}
}

function parse(path: string, entry: unknown): Manifest {
  const { format, sandbox } = entry as { readonly format: unknown; readonly sandbox: unknown }
  if (format !== FORMAT) {
    throw new StoreError(
      `${path}:1 has format ${format}; this version reads format ${FORMAT}. Use the version that wrote it, or another folder`,
    )
  }
  const manifest = Manifest.safeParse(sandbox)
  if (manifest.success) return manifest.data
  throw new StoreError(`${path} is wrong: ${z.prettifyError(manifest.error)}`)
}

/** The names of the files that belong to a sandbox, except the manifest. */
export function filesOf({ generation, documents }: Manifest): string[] {
  return [
    fileOf('state', generation),
    fileOf('journal', generation),
    ...documentKinds.flatMap((kind) => documents[kind].map(({ file }) => file)),
  ]
}

export function fileOf(kind: 'state' | 'journal' | DocumentKind, number: number): string {
  return `${kind}-${String(number).padStart(6, '0')}.ndjson`
}

export function journalStart({ id, generation }: Pick<Manifest, 'id' | 'generation'>): Extent {
  return { lines: 0, bytes: 0, sum: crc32(`${id} ${generation}`) }
}

export interface JournalEnd {
  readonly path: string
  readonly extent: Extent
  /** What a start drops if the journal did not end properly; null if it did. */
  readonly warning: string | null
}

/** The entries of the state. Throws `StoreError` with file, line and reason. */
export function readState(
  folder: string,
  { generation, state }: Manifest,
): AsyncGenerator<unknown, void> {
  return readWhole(join(folder, fileOf('state', generation)), state)
}

/** The entries of the journal; only of the first `trusted` bytes, if that is known. Throws as `readState` does. */
export async function* readJournal(
  folder: string,
  manifest: Manifest,
  trusted: number | null = null,
): AsyncGenerator<unknown, JournalEnd> {
  const path = join(folder, fileOf('journal', manifest.generation))
  const reader = new LineReader(path, journalStart(manifest))
  yield* reader.entries(trusted ?? undefined)
  const { extent, ending } = reader
  const isCut = trusted === null ? ending === 'unmarked' : extent.bytes !== trusted
  if (extent.lines < manifest.journalLines || isCut) {
    throw new StoreError(`${path}:${extent.lines + 1} is missing: the file was cut`)
  }
  return { path, extent, warning: warningOf(reader) }
}

function warningOf({ path, extent, ending }: LineReader): string | null {
  if (ending === 'torn') {
    return `${path}:${extent.lines + 1} is cut short, as a crash leaves a line that was not answered yet; it and what follows is dropped.`
  }
  if (ending !== 'trailed') return null
  return `${path} goes on after its end mark, as a failed write leaves it; that is dropped.`
}
