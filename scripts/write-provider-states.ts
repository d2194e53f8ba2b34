/** Writes contracts/provider-states.json from the catalogue. */
import { writeFile } from 'node:fs/promises'
import { providerStatesFile } from '../src/http/control/provider-states.ts'

const file = new URL('../contracts/provider-states.json', import.meta.url)
await writeFile(file, providerStatesFile())
