/** Writes contracts/provider-states.json from the catalogue. */
import { mkdir, writeFile } from 'node:fs/promises'
import { providerStatesFile } from '../src/http/control/provider-state-catalogue.ts'

const folder = new URL('../contracts', import.meta.url)

await mkdir(folder, { recursive: true })
await writeFile(new URL('provider-states.json', folder), providerStatesFile())
