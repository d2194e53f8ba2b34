/**
 * What a sandbox's folder holds, also where its manifest is damaged: each file says of itself what it is. Writes nothing.
 */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Extent, LineReader } from './lines.ts'
import { fileOf, type Manifest, manifestIn } from './manifest.ts'
import { type ShelfName, StoreError } from './store.ts'

/** A document and its file; what is not known of it is null. */
export interface FoundDocument {
  readonly about: unknown
  readonly file: string
  readonly extent: Extent | null
}

export interface FolderContents extends Pick<Manifest, 'journals'> {
  readonly id: string | null
  /** Null where there is no whole one. */
  readonly state: Manifest['state'] | null
  readonly shelves: Readonly<Record<ShelfName, readonly FoundDocument[]>>
}

/** What belongs to a sandbox, and what is wrong with its manifest, which then had no say in it. */
export async function inspectFolder(
  folder: string,
): Promise<{ readonly contents: FolderContents; readonly damage: string | null }> {
  const manifest = manifestIn(folder)
  try {
    await manifest.read()
    if (manifest.data !== null) return { contents: contentsOf(manifest.data), damage: null }
    throw new StoreError(`${folder} holds nothing`)
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    return { contents: await findFiles(folder), damage: error.message }
  }
}

function contentsOf({ shelves, ...manifest }: Manifest): FolderContents {
  const found = (name: ShelfName) =>
    shelves[name].map(({ about, file, ...extent }) => ({ about, file, extent }))
  return { ...manifest, shelves: { checkpoints: found('checkpoints'), pacts: found('pacts') } }
}

/** The newest whole state, the journals from it on, and every document. */
async function findFiles(folder: string): Promise<FolderContents> {
  // A folder that cannot be read holds nothing that could be saved; why is said of the manifest.
  const names = await readdir(folder).catch(() => [])
  const state = await newestState(folder, numbersIn(names, 'state').reverse())
  const generations = numbersIn(names, 'journal').filter(
    (generation) => state !== null && generation >= state.generation,
  )
  return {
    id: null,
    state,
    journals: generations.map((generation) => ({ generation, atLeast: 0 })),
    shelves: {
      checkpoints: await documentsIn(folder, 'checkpoints', names),
      pacts: await documentsIn(folder, 'pacts', names),
    },
  }
}

async function newestState(folder: string, newestFirst: readonly number[]) {
  for (const generation of newestFirst) {
    const { extent } = await inspectFile(join(folder, fileOf('state', generation)))
    if (extent !== null) return { generation, ...extent }
  }
  return null
}

async function documentsIn(folder: string, shelf: ShelfName, names: readonly string[]) {
  const documents: FoundDocument[] = []
  for (const number of numbersIn(names, shelf)) {
    const file = fileOf(shelf, number)
    const { first, extent } = await inspectFile(join(folder, file))
    const { about = null } = (first ?? {}) as { readonly about?: unknown }
    documents.push({ about, file, extent })
  }
  return documents
}

/** What a file begins with, and its extent where it is whole. */
async function inspectFile(path: string): Promise<{ first: unknown; extent: Extent | null }> {
  const reader = new LineReader(path)
  let first: unknown = null
  try {
    for await (const entry of reader.entries()) first ??= entry
  } catch (error) {
    if (error instanceof StoreError) return { first, extent: null }
    throw error
  }
  return { first, extent: reader.ending === 'marked' ? reader.extent : null }
}

function numbersIn(names: readonly string[], kind: Parameters<typeof fileOf>[0]): number[] {
  return names
    .map((name) => Number(new RegExp(`^${kind}-(\\d{6,})\\.ndjson$`).exec(name)?.[1] ?? 0))
    .filter((number) => number > 0)
    .sort((one, other) => one - other)
}
