import { expect, it } from 'vitest'
import { runProgram } from '../support/process.ts'

it('the library has types as the documents say', async () => {
  const script = ['--import', 'tsx', 'scripts/write-client-types.ts', '--check']
  const check = runProgram([process.execPath, ...script])
  expect(await check.ended, check.errors()).toBe(0)
})
