/** Writes into contracts/README.md what each shipped pact rests on, and what it notices. */
import { readFile, writeFile } from 'node:fs/promises'
import { globSync } from 'tinyglobby'
import { README, studyPacts, withStudyRows } from './pact-studies.ts'

const pacts = globSync(['contracts/pacts/*.json', 'contracts/pacts/assumed/*.json']).sort()
const studies = await studyPacts(pacts)
await writeFile(README, withStudyRows(await readFile(README, 'utf8'), studies))
