/** The pact files that the repository publishes. */
import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isUnreadable, type PactFile, readPact } from '../../../src/contracts/pacts/pact-file.ts'
import { PUBLISHED } from './consumer.ts'

/** What is documented, and what is assumed. */
export const documentedPacts = pactsIn(PUBLISHED)
export const assumedPacts = pactsIn(join(PUBLISHED, 'assumed'))

/** A published file, read as the sandbox reads pacts. */
export async function publishedPact(path: string): Promise<PactFile> {
  const read = readPact(path, await readFile(path, 'utf8'))
  if (isUnreadable(read)) throw new Error(`${path} cannot be read: ${JSON.stringify(read)}`)
  return read
}

function pactsIn(folder: string): string[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'))
  return names.sort().map((name) => join(folder, name))
}
