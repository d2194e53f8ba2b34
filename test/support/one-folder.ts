/** Has a run of the tests leave no files behind: its temporary folders, and those of its programs, are in one that ends with it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Says that a run has its folder: each project of the run asks for one. */
const MARK = 'TESTS_HAVE_A_FOLDER'

/** Before the first test; answers what is done after the last one. The name is short, because a socket's path must be. */
export function setup(): (() => void) | undefined {
  if (process.env[MARK] !== undefined) return
  const folder = mkdtempSync(join(tmpdir(), 'tests-'))
  Object.assign(process.env, { [MARK]: 'true', TMPDIR: folder })
  return () => rmSync(folder, { recursive: true, force: true })
}
