/** Writes into contracts/README.md what each shipped pact leans on, and what it notices. */
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { globSync } from 'tinyglobby'
import { Report } from '../src/contracts/report/report.ts'
import { README, withStudyRows } from './pact-study-rows.ts'

const pacts = globSync(['contracts/pacts/*.json', 'contracts/pacts/assumed/*.json']).sort()
const { stdout } = await promisify(execFile)(
  process.execPath,
  ['dist/cli/main.js', 'verify', ...pacts, '--vary', '--mutate', '--json'],
  { maxBuffer: 64 * 1024 * 1024 },
)
const report = Report.parse(JSON.parse(stdout))
await writeFile(README, withStudyRows(await readFile(README, 'utf8'), report))
