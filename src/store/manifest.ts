/**
 * The manifest of a sandbox's folder, `sandbox.json`: which files belong to the sandbox, and what each of them must be.
 * A file that it does not name does not count, so everything changes in one step, with the manifest. lowdb reads and
 * writes it.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { type Adapter, Low } from 'lowdb'
import * as z from 'zod'
import { printSum, replaceFile, unreadable } from './files.ts'
import type { Extent } from './lines.ts'
import { type DocumentKind, documentKinds, StoreError } from './store.ts'

const Count = z.int().min(0)
const extent = { lines: Count, bytes: Count, sum: Count }

/** A document beside the sandbox: its description, and its file. */
const ManifestDocument = z.strictObject({ about: z.unknown(), file: z.string(), ...extent })
export type ManifestDocument = z.infer<typeof ManifestDocument>

const Manifest = z.strictObject({
  /** Random. The checksums of journals begin with it, so that the journal of another sandbox does not fit. */
  id: z.string(),
  /** Names the state, `state-<generation>.ndjson`, and the journal of what changed since. */
  generation: z.int().positive(),
  state: z.strictObject(extent),
  /** How many lines the journal had, at least, when this was written. */
  journalLines: Count,
  documents: z.record(z.enum(documentKinds), z.array(ManifestDocument)),
})
export type Manifest = z.infer<typeof Manifest>

/** The version of the folder's shape. */
const FORMAT = 5

export const MANIFEST = 'sandbox.json'

/** Written beside the manifest for `doctor`, in case the manifest is damaged. */
export const MANIFEST_COPY = 'sandbox.copy.json'

/** The manifest of a folder, or its copy. Its data is null until it is read or first written. */
export function manifestIn(folder: string, name = MANIFEST): Low<Manifest | null> {
  return new Low<Manifest | null>(manifestFile(folder, name), null)
}

/** lowdb's adapter: a checksum over everything, and a file that is replaced and never changed in place. */
function manifestFile(folder: string, name: string): Adapter<Manifest | null> {
  const path = join(folder, name)
  return {
    read: async () => {
      const text = await readFile(path, 'utf8').catch((error) => {
        throw unreadable(path, error)
      })
      return parse(path, text)
    },
    write: async (manifest) => {
      const body = JSON.stringify(manifest, null, 1)
      const text = `${headOf(body)}${body}${END}`
      await replaceFile(path, text)
      // It only helps `doctor`: a disk that does not take it stops nobody.
      await writeFile(join(folder, MANIFEST_COPY), text).catch(() => undefined)
    },
  }
}

const END = '\n}\n'

function headOf(body: string): string {
  return `{"format":${FORMAT},"sum":"${printSum(crc32(body))}","sandbox":\n`
}

function parse(path: string, text: string): Manifest {
  const [, format] = /^\{"format":(\d{1,9}),/.exec(text) ?? []
  if (format !== undefined && Number(format) !== FORMAT) {
    throw new StoreError(`${path}:1 has format ${format}; this version reads format ${FORMAT}`)
  }
  const body = text.slice(text.indexOf('\n') + 1, -END.length)
  if (text !== `${headOf(body)}${body}${END}`) {
    throw new StoreError(`${path} does not match its checksum`)
  }
  const manifest = Manifest.safeParse(JSON.parse(body))
  if (manifest.success) return manifest.data
  throw new StoreError(`${path} is wrong: ${z.prettifyError(manifest.error)}`)
}

/** The names of the files that belong to a sandbox, the manifest aside. */
export function filesOf({ generation, documents }: Manifest): string[] {
  return [
    fileOf('state', generation),
    fileOf('journal', generation),
    ...documentKinds.flatMap((kind) => documents[kind].map(({ file }) => file)),
  ]
}

/** The name of a state, a journal or a document with a number. */
export function fileOf(kind: 'state' | 'journal' | DocumentKind, number: number): string {
  return `${kind}-${String(number).padStart(6, '0')}.ndjson`
}

/** What a journal's checksums begin with. */
export function journalStart({ id, generation }: Pick<Manifest, 'id' | 'generation'>): Extent {
  return { lines: 0, bytes: 0, sum: crc32(`${id} ${generation}`) }
}
