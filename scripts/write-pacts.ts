/** Writes contracts/pacts anew from the consumer tests; what no test writes any more is gone afterwards. */
import { spawnSync } from 'node:child_process'
import { mkdir, rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../contracts/pacts', import.meta.url))

await rm(folder, { recursive: true, force: true })
await mkdir(`${folder}/assumed`, { recursive: true })
const { status } = spawnSync('npx', ['vitest', 'run', 'test/contract/consumers'], {
  stdio: 'inherit',
  env: { ...process.env, PACTS_FOLDER: folder },
})
process.exitCode = status ?? 1
