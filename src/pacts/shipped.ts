/** The pacts that come with the product: what stands in the folder of them, by path. */
import { readdir, readFile } from 'node:fs/promises'
import { isUnreadable, readPact } from '../contracts/pact-file.ts'

export interface ShippedPact {
  /** Its path below the folder, such as `assumed/a-b.json`. */
  readonly file: string
  readonly consumer: string
  readonly provider: string
  /** The version of the Pact specification. */
  readonly specification: string
  /** How many interactions it holds. */
  readonly interactions: number
  readonly document: object
}

/** Every pact below a folder, by path. Throws for a file that is none: what is shipped can be read. */
export async function shippedPacts(folder: URL): Promise<readonly ShippedPact[]> {
  const files = (await readdir(folder, { recursive: true })).filter((file) =>
    file.endsWith('.json'),
  )
  const paths = files.map((file) => file.replaceAll('\\', '/')).sort()
  const pacts: ShippedPact[] = []
  // One after another, so that a server answers others between two files.
  for (const file of paths) pacts.push(await read(folder, file))
  return pacts
}

async function read(folder: URL, file: string): Promise<ShippedPact> {
  const pact = readPact(file, await readFile(new URL(file, folder), 'utf8'))
  if (isUnreadable(pact)) throw new Error(`${file} is no pact: ${pact[0]?.message}`)
  const { consumer, provider, version: specification, interactions, document } = pact
  return { file, consumer, provider, specification, interactions: interactions.length, document }
}
