/** Writes docs/errors.md, the catalogue of errors, from its table and the recorded answers. */
import { writeFile } from 'node:fs/promises'
import { catalogueMarkdown } from './errors/catalogue.ts'

await writeFile(new URL('../docs/errors.md', import.meta.url), catalogueMarkdown())
