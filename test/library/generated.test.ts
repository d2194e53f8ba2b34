import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'

it('has types as the documents say', () => {
  const options = ['--import', 'tsx', 'scripts/write-client-types.ts', '--check']
  expect(() => execFileSync(process.execPath, options, { stdio: 'pipe' })).not.toThrow()
})
