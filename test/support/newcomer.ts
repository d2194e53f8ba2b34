/** A folder as a newcomer has it: empty, but for the packages that were installed there. */
import { mkdir, readdir, realpath, symlink, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { PATIENCE_MS } from '../../vitest.config.ts'
import { temporaryFolder } from './folders.ts'

const OURS = 'subscription-sandbox'

/** Vitest gives a test five seconds, which a busy machine may take to start: many tests are at work at once here. */
export const patientConfig = `export default { test: { testTimeout: ${PATIENCE_MS} } }\n`

export interface NewcomerFolder extends AsyncDisposable {
  readonly path: string
}

/** Makes one, with this package and everything that it has for tests. */
export async function newcomerFolder(): Promise<NewcomerFolder> {
  const { path, remove } = await temporaryFolder()
  const packages = join(path, 'node_modules')
  await linked('node_modules', packages)
  await symlink(resolve('.'), join(packages, OURS))
  await linked('node_modules/.bin', join(packages, '.bin'))
  await writeFile(
    join(packages, '.bin', OURS),
    `#!/bin/sh\nexec node ${resolve('dist/cli/main.js')} "$@"\n`,
    { mode: 0o755 },
  )
  await written(path, 'package.json', JSON.stringify({ private: true, type: 'module' }))
  await written(path, 'vitest.config.js', patientConfig)
  return { path, [Symbol.asyncDispose]: remove }
}

/** Writes a file into a folder, and the folders above it. */
export async function written(folder: string, name: string, text: string): Promise<void> {
  const path = join(folder, name)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
}

/** Makes a folder that has what another one has. */
async function linked(from: string, to: string): Promise<void> {
  await mkdir(to)
  const names = (await readdir(from)).filter((name) => name !== OURS && !name.startsWith('.'))
  await Promise.all(
    names.map(async (name) => symlink(await realpath(join(from, name)), join(to, name))),
  )
}
