/**
 * The manifest of a sandbox's folder, `sandbox.json`: which files belong to the sandbox, and what each of them must be.
 * What it does not name is not there, so that everything changes in one step, with the manifest. lowdb keeps it.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { type Adapter, Low } from 'lowdb'
import * as z from 'zod'
import { printSum, replaceFile } from './files.ts'
import { type ShelfName, StoreError, shelfNames } from './store.ts'

const Count = z.int().min(0)
const Extent = { lines: Count, sum: z.string() }

/** A document beside the sandbox: what is said of it, and its file. */
const ManifestItem = z.strictObject({ about: z.unknown(), file: z.string(), ...Extent })

export const Manifest = z.strictObject({
  /** Made up for this sandbox; its journals carry it too, so that those of another one show. */
  id: z.string(),
  /** The whole of the sandbox, `state-<generation>.ndjson`. */
  state: z.strictObject({ generation: z.int().positive(), ...Extent }),
  /** What changed after it, in order: `journal-<generation>.ndjson`, of the same generation and those after it. */
  journals: z.array(
    z.strictObject({
      generation: z.int().positive(),
      /** How far it went, at least, when this was written. */
      atLeast: Count,
    }),
  ),
  shelves: z.record(z.enum(shelfNames), z.array(ManifestItem)),
})
export type Manifest = z.infer<typeof Manifest>

/** The version of the folder's shape. Those before it were never released. */
const FORMAT = 3

export const MANIFEST = 'sandbox.json'

/** The manifest of a folder. Its data is null until it is read or first written. */
export function manifestIn(folder: string): Low<Manifest | null> {
  return new Low<Manifest | null>(manifestFile(join(folder, MANIFEST)), null)
}

/** lowdb's adapter: a checksum over everything, and a file that is replaced and never changed. */
function manifestFile(path: string): Adapter<Manifest | null> {
  return {
    read: async () => parse(path, await read(path)),
    write: async (manifest) => {
      const body = JSON.stringify(manifest, null, 1)
      await replaceFile(path, `${headOf(body)}${body}${END}`)
    },
  }
}

const END = '\n}\n'

function headOf(body: string): string {
  return `{"format":${FORMAT},"sum":"${printSum(crc32(body))}","sandbox":\n`
}

async function read(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(({ code, message }: NodeJS.ErrnoException) => {
    throw new StoreError(
      `${path} ${code === 'ENOENT' ? 'is missing' : `cannot be read: ${message}`}`,
    )
  })
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
export function filesOf({ state, journals, shelves }: Manifest): string[] {
  return [
    fileOf('state', state.generation),
    ...journals.map(({ generation }) => fileOf('journal', generation)),
    ...shelfNames.flatMap((name) => shelves[name].map(({ file }) => file)),
  ]
}

/** Where the state or a journal of a generation is, or a document with a number. */
export function fileOf(kind: 'state' | 'journal' | ShelfName, number: number): string {
  return `${kind}-${String(number).padStart(6, '0')}.ndjson`
}
