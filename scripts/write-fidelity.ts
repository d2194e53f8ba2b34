/** Writes the rows of assumptions in docs/fidelity.md, its last ones. What stands before them is written by hand. */
import { readFile, writeFile } from 'node:fs/promises'
import { assumedRows } from './fidelity-rows.ts'

const page = new URL('../docs/fidelity.md', import.meta.url)
const [head] = (await readFile(page, 'utf8')).split(/^\| <a id=/m)
await writeFile(page, `${head}${assumedRows()}`)
