/** Writes fixtures/fixture.schema.json: what a fixture can have. */
import { writeFile } from 'node:fs/promises'
import { fixtureSchema } from './fixture-schema.ts'

await writeFile(new URL('../fixtures/fixture.schema.json', import.meta.url), fixtureSchema())
