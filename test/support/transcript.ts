/**
 * Transcripts: console sessions in Markdown, as commands with the output that they must print. A line that begins
 * with `$ ` is a command, the lines up to the next one are its output.
 */

import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

const MARK = '--- the next command ---'

export interface Exchange {
  readonly command: string
  readonly output: string
}

/** Every exchange in the console blocks of a page, in order. */
export function exchangesOf(page: string): Exchange[] {
  const blocks = [...page.matchAll(/```console\n([\s\S]*?)```/g)].map((match) => match[1] ?? '')
  return blocks.flatMap((block) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((text) => {
        const lines = text.split('\n')
        const last = lines.findIndex((line) => !line.endsWith('\\'))
        const command = lines.slice(0, last + 1).join('\n')
        return {
          command,
          output: lines
            .slice(last + 1)
            .join('\n')
            .trim(),
        }
      }),
  )
}

/** What every command of a page says that it prints, and what it does print against a sandbox at this address. */
export async function played(path: string, url: string) {
  return playedText(await readFile(path, 'utf8'), url)
}

/** The same of a part of a page, in a folder and after other lines of bash. */
export async function playedText(
  page: string,
  url: string,
  { cwd = process.cwd(), before = '' } = {},
) {
  const exchanges = exchangesOf(page)
  const script = scriptOf(exchanges).replaceAll('http://127.0.0.1:4010', url)
  const bash = ['-euo', 'pipefail', '-c', `${before}\n${script}`]
  const { stdout } = await promisify(execFile)('bash', bash, { cwd })
  const printed = stdout.split(`${MARK}\n`).slice(1)
  return {
    printed: printed.map(comparable),
    promised: exchanges.map(({ output }) => comparable(output)),
  }
}

/** A script for bash that runs every command in one shell and marks where the output of each begins. */
function scriptOf(exchanges: readonly Exchange[]): string {
  return exchanges.map(({ command }) => `echo '${MARK}'\n${command}`).join('\n')
}

/** What a command printed, and what the page says, brought to one form: JSON by value, tokens by their kind. */
function comparable(text: string): unknown {
  const masked = text.trim().replace(/\b([ar]t)_default_[\w-]{43}/g, '$1_default_...')
  try {
    return JSON.parse(masked)
  } catch {
    return masked
  }
}
