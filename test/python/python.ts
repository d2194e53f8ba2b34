/** Python for tests: an environment of its own with what they need, made once by pip where Python is on the machine. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runProgram } from '../support/process.ts'

/** The Python to test with; CLIENT_PYTHON names another. */
const interpreter = process.env['CLIENT_PYTHON'] ?? 'python3'
const tools = ['hatchling', 'pytest', 'pytest-xdist', 'mypy']

/** An environment that has the tools, or why there is none. */
export async function pythonEnvironment(): Promise<{ bin: string } | { missing: string }> {
  const found = spawnSync(interpreter, ['-c', 'import sys, venv, ensurepip; print(sys.version)'])
  if (found.status !== 0) return { missing: `the machine has no ${interpreter} with venv and pip` }
  const version = createHash('sha256').update(`${found.stdout}${tools}`).digest('hex').slice(0, 12)
  const folder = fileURLToPath(
    new URL(`../../node_modules/.cache/python-${version}`, import.meta.url),
  )
  // Its programs name the folder that they are in, so that it is made in its place, and marked once it is whole.
  const whole = join(folder, 'whole')
  if (!existsSync(whole)) {
    await rm(folder, { recursive: true, force: true })
    await runIn('.', [interpreter, '-m', 'venv', folder])
    const installing = runProgram([`${folder}/bin/pip`, 'install', '--quiet', ...tools])
    if ((await installing.ended) !== 0) {
      return { missing: `pip has no ${tools.join(', ')}: ${installing.errors().split('\n')[0]}` }
    }
    await writeFile(whole, '')
  }
  return { bin: `${folder}/bin/python` }
}

/** Runs a command in a folder to its end, and answers what it printed. Throws where it fails. */
export async function runIn(
  folder: string,
  command: readonly [string, ...string[]],
  environment: NodeJS.ProcessEnv = {},
): Promise<string> {
  const run = runProgram(command, { PYTHONDONTWRITEBYTECODE: '1', ...environment }, folder)
  const code = await run.ended
  if (code === 0) return run.output()
  throw new Error(`${command.join(' ')} ended with ${code}:\n${run.output()}${run.errors()}`)
}
