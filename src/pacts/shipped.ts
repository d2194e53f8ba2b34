/** The pacts that come with the product, by their path in its folder. */
import { readdir, readFile } from 'node:fs/promises'
import { isUnreadable, type PactFile, readPact } from '../contracts/pact-file.ts'

/** Every pact below a folder, by its path there, sorted. Throws for a file that is not a pact. */
export async function shippedPacts(folder: URL): Promise<ReadonlyMap<string, PactFile>> {
  const files = (await readdir(folder, { recursive: true }))
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.replaceAll('\\', '/'))
  const pacts = new Map<string, PactFile>()
  // One after another, so that a server answers others between two files.
  for (const file of files.sort()) {
    const pact = readPact(file, await readFile(new URL(file, folder), 'utf8'))
    if (isUnreadable(pact)) throw new Error(`${file} is no pact: ${pact[0]?.message}`)
    pacts.set(file, pact)
  }
  return pacts
}
