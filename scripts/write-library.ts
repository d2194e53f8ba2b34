/** Writes what the library is made of: where each operation is called, and the types of its methods. */
import { writeFile } from 'node:fs/promises'
import { libraryModules } from './library/modules.ts'

for (const [path, text] of libraryModules()) {
  await writeFile(new URL(`../${path}`, import.meta.url), text)
}
