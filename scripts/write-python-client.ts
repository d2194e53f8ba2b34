/** Writes the generated modules of the Python client. */
import { writeFile } from 'node:fs/promises'
import { pythonModules } from './python-client/modules.ts'

for (const [path, text] of pythonModules()) {
  await writeFile(new URL(`../${path}`, import.meta.url), text)
}
