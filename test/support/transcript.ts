/** Plays what a page shows: writes its files, types its commands in order, and compares what they print. */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { type Exchange, exchangesOf, fencesOf, fileOf } from './fences.ts'
import { written } from './newcomer.ts'

const MARK = '--- the next command ---'

export interface Stage {
  /** The sandbox that the page speaks to as http://127.0.0.1:4010. */
  readonly url: string
  /** Where the commands are typed, and the files written. */
  readonly folder: string
  /** Commands that are not typed. */
  readonly leftOut: readonly string[]
}

/** What every command of a page says that it prints, and what it does print. */
export async function played(path: string, { url, folder, leftOut }: Stage) {
  const fences = fencesOf(await readFile(path, 'utf8'))
  const here = (text: string) => text.replaceAll('http://127.0.0.1:4010', url)
  for (const fence of fences) {
    const file = fileOf(fence)
    if (file !== null) await written(folder, file.name, here(file.text))
  }
  const exchanges = fences.flatMap(exchangesOf).filter(({ command }) => !leftOut.includes(command))
  const stdout = await typed(here(scriptOf(exchanges)), { url, folder })
  const printed = stdout.split(`${MARK}\n`).slice(1)
  return {
    printed: exchanges.map(({ output }, at) =>
      output === null ? null : comparable(printed[at] ?? ''),
    ),
    promised: exchanges.map(({ output }) => (output === null ? null : comparable(output))),
  }
}

async function typed(
  script: string,
  { url, folder }: Pick<Stage, 'url' | 'folder'>,
): Promise<string> {
  const ours = Object.entries(process.env).filter(
    ([name]) => !/^(VITEST|NODE_ENV|SANDBOX)/.test(name),
  )
  const env = {
    ...Object.fromEntries(ours),
    SANDBOX_URL: url,
    NO_COLOR: '1',
    npm_config_loglevel: 'error',
  }
  const { stdout } = await promisify(execFile)(
    'bash',
    ['--norc', '-euo', 'pipefail', '-c', script],
    {
      cwd: folder,
      env,
    },
  )
  return stdout
}

/** A script for bash that runs every command in one shell and marks where the output of each begins. */
function scriptOf(exchanges: readonly Exchange[]): string {
  return exchanges.map(({ command }) => `echo '${MARK}'\n${command}`).join('\n')
}

/** What a command printed, and what the page says, brought to one form: JSON by value, tokens by their kind. */
function comparable(text: string): unknown {
  const masked = text
    .trim()
    .replace(/\b([ar]t)_default_[\w-]{43}/g, '$1_default_...')
    .replace(/[ \t]+$/gm, '')
  try {
    return JSON.parse(masked)
  } catch {
    return masked
  }
}
