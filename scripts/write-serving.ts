/** Writes the table of the options of `serve` in docs/serving.md, from their declarations. */
import { readFile, writeFile } from 'node:fs/promises'
import { marked, optionsTable } from './serve-options.ts'

const page = new URL('../docs/serving.md', import.meta.url)
const text = await readFile(page, 'utf8')
const table = await optionsTable()
await writeFile(
  page,
  text.replace(marked, () => table),
)
