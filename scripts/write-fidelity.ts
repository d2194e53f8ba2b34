/** Writes docs/fidelity.md. */
import { writeFile } from 'node:fs/promises'
import { fidelityPage } from '../src/assumptions/fidelity.ts'

await writeFile(new URL('../docs/fidelity.md', import.meta.url), fidelityPage())
