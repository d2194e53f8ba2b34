/** The table of contracts/README.md: what the stock tools of npm can do with the broker. */
import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { README, tryBroker, withBrokerRows } from '../../scripts/broker-table.ts'
import { serve } from '../support/process.ts'

it('every command of a stock tool works or is refused in words, as contracts/README.md says', async () => {
  const sandbox = await serve('--data', 'memory')
  const tried = await tryBroker(sandbox.url)
  await sandbox.stop()
  const page = await readFile(README, 'utf8')
  expect(withBrokerRows(page, tried)).toBe(page)
})
