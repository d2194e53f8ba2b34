/** Has a run of the tests leave no files behind: its temporary folders, and those of its programs, are in one that ends with it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

let folder: string

/** Before the first test. The name is short, because the address of a socket in it must be. */
export function setup(): void {
  folder = mkdtempSync(join(tmpdir(), 'tests-'))
  process.env['TMPDIR'] = folder
}

/** After the last one. */
export function teardown(): void {
  rmSync(folder, { recursive: true, force: true })
}
