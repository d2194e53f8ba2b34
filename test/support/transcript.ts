/**
 * Transcripts: console sessions in Markdown, as commands with the output that they must print. A line that begins
 * with `$ ` is a command, the lines up to the next one are its output.
 */

import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { type Exchange, exchangesIn, fencesOf, fileOf } from './fences.ts'
import { written } from './newcomer.ts'

/** Spares the start of npx for each command that is installed; the examples are run with it. */
const before = `npx() {
  [ "$1" != subscription-sandbox ] || { shift; node '${resolve('dist/cli/main.js')}' "$@"; return; }
  [ -x "node_modules/.bin/$1" ] || { command npx "$@"; return; }
  local program="$1"; shift; "node_modules/.bin/$program" "$@"
}`

const MARK = '--- the next command ---'

/** Every exchange in the console blocks of a page, or of a part of one, in order. */
export function exchangesOf(page: string): { command: string; output: string }[] {
  return [...page.matchAll(/```console\n([\s\S]*?)```/g)]
    .flatMap(([, text = '']) => exchangesIn({ language: 'console', text, line: 0 }))
    .map(({ command, output }) => ({ command, output: output ?? '' }))
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
  return compared(exchanges, await typed(exchanges, { url, cwd, before }))
}

/**
 * Follows a page in a folder: writes the files that it shows, and types all of its commands but those that are left
 * out, in `sh` too, which have to succeed.
 */
export async function followed(
  path: string,
  { url, cwd, isLeftOut }: { url: string; cwd: string; isLeftOut: (command: string) => boolean },
) {
  const fences = fencesOf(await readFile(path, 'utf8'))
  for (const { name, text } of fences.flatMap((fence) => fileOf(fence) ?? [])) {
    await written(cwd, name, at(url, text))
  }
  const exchanges = fences.flatMap(exchangesIn).filter(({ command }) => !isLeftOut(command))
  return compared(exchanges, await typed(exchanges, { url, cwd, before }))
}

/** A text that speaks to the sandbox of a page, or to a service, which then is the one at this address. */
function at(url: string, text: string): string {
  return text
    .replaceAll('http://127.0.0.1:4010', url)
    .replaceAll('https://service.example', url)
    .replaceAll('https://states.example/setup', `${url}/sandbox/provider-states`)
}

/** Types commands into one shell; answers what each printed. */
async function typed(
  exchanges: readonly Exchange[],
  { url, cwd, before }: { url: string; cwd: string; before: string },
): Promise<string[]> {
  const commands = exchanges.map(({ command }) => `echo '${MARK}'\n${command}`).join('\n')
  const others = Object.entries(process.env).filter(
    ([name]) => !/^(VITEST|NODE_ENV|SANDBOX)/.test(name),
  )
  const env = {
    ...Object.fromEntries(others),
    SANDBOX_URL: url,
    NO_COLOR: '1',
    npm_config_loglevel: 'error',
  }
  // Without --norc, bash reads a file of its user where its input is a socket.
  const bash = ['--norc', '-euo', 'pipefail', '-c', `${before}\n${at(url, commands)}`]
  const { stdout } = await promisify(execFile)('bash', bash, { cwd, env })
  return stdout.split(`${MARK}\n`).slice(1)
}

function compared(exchanges: readonly Exchange[], printed: readonly string[]) {
  const told = exchanges.map(({ output }, index) => ({ output, printed: printed[index] ?? '' }))
  const telling = told.filter(({ output }) => output !== null)
  return {
    printed: telling.map((exchange) => comparable(exchange.printed)),
    promised: telling.map(({ output }) => comparable(output ?? '')),
  }
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
