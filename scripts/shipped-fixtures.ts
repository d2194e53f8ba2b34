/** Reads the fixtures of the product by their schema. */
import { readdir, readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import * as z from 'zod'
import { Fixture } from '../src/sandbox/fixture-format.ts'
import { SCHEMA_SUFFIX } from '../src/sandbox/fixtures.ts'
import { packageRoot } from '../src/version.ts'

/** Reads every fixture of the product. Throws with file and field if one is invalid. */
export async function shippedFixtures(): Promise<ReadonlyMap<string, Fixture>> {
  const folder = new URL('fixtures/', packageRoot)
  const files = (await readdir(folder))
    .filter((file) => file.endsWith('.json') && !file.endsWith(SCHEMA_SUFFIX))
    .sort()
  const read = async (file: string): Promise<[string, Fixture]> => {
    const parsed = Fixture.safeParse(JSON.parse(await readFile(new URL(file, folder), 'utf8')))
    if (!parsed.success) throw new Error(`fixtures/${file}: ${z.prettifyError(parsed.error)}`)
    return [basename(file, '.json'), parsed.data]
  }
  return new Map(await Promise.all(files.map(read)))
}
