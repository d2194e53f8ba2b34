/** Writes docs/pact-report.schema.json: the shape of what `check` and `verify` report. */
import { writeFile } from 'node:fs/promises'
import * as z from 'zod'
import { Report } from '../src/contracts/common/report-shape.ts'

const file = new URL('../docs/pact-report.schema.json', import.meta.url)

await writeFile(file, `${JSON.stringify(z.toJSONSchema(Report), null, 2)}\n`)
