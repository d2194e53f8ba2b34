/** Writes docs/pact-report.schema.json: the shape of what `check` and `verify` report. */
import { writeFile } from 'node:fs/promises'
import { reportSchema } from '../src/contracts/report/report.ts'

const file = new URL('../docs/pact-report.schema.json', import.meta.url)

await writeFile(file, reportSchema())
