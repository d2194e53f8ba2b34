/** What `npm run check` asks beside the tests: types, format and lint. Unused code is left to `npm run deadcode`. */
import { expect, it } from 'vitest'
import { runProgram } from '../support/process.ts'

it.each(['typecheck', 'lint'])('passes npm run %s', async (script) => {
  const run = runProgram(['npm', 'run', script])
  expect(await run.ended, run.output() + run.errors()).toBe(0)
})
