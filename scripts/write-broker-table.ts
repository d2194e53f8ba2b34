/** Writes into contracts/README.md what stock tools of Pact can do with the broker. */
import { readFile, writeFile } from 'node:fs/promises'
import { serve } from '../test/support/process.ts'
import { README, tryBroker, withBrokerRows } from './broker-table.ts'

const sandbox = await serve('--data', 'memory')
const tried = await tryBroker(sandbox.url)
await sandbox.stop()
await writeFile(README, withBrokerRows(await readFile(README, 'utf8'), tried))
