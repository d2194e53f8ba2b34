import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { ringTable } from '../../bench/support/ring-table.ts'

it('prints the table of the guide', () => {
  expect(readFileSync('docs/guides/many-users.md', 'utf8')).toContain(`\n${ringTable()}\n`)
})
