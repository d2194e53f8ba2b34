/** Writes openapi.yaml from the declarations; with --check, says whether the one in the repository is theirs. */
import { readFile, writeFile } from 'node:fs/promises'
import { documentText, toForm } from '../src/openapi/derive-form.ts'
import { DocumentForm } from '../src/openapi/forms.ts'
import { v1Document } from '../src/openapi/v1.ts'
import { VERSION } from '../src/version.ts'

const file = new URL('../openapi.yaml', import.meta.url)
const text = documentText(toForm('v1', v1Document(VERSION), DocumentForm.parse({})), 'yaml')

if (!process.argv.includes('--check')) {
  await writeFile(file, text)
} else if ((await readFile(file, 'utf8').catch(() => '')) !== text) {
  console.error('openapi.yaml is not what the declarations say; run npm run openapi')
  process.exitCode = 1
}
