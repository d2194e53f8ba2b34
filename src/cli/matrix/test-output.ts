/** What tests printed: the first one that failed. */
import { stripVTControlCharacters } from 'node:util'

/** Lines of failed tests, by who prints them; the first group is the name. */
const failures: Readonly<Record<string, RegExp>> = {
  // In TAP, a test comes before the suite that it is in.
  tap: /^ *not ok \d+(?: -)? (?!.*# (?:TO[D]O|SKIP))(.+?)$/im,
  node: /^ *✖ (.+?) \(\d[\d.]*ms\)$/m,
  junit: /<testcase\b[^>]*?\bname="([^"]*)"[^>]*>\s*<(?:failure|error)\b/,
  jest: /^ +● (.+ › .+|.+)$/m,
  vitest: /^ *FAIL +(.+)$/m,
  pytest: /^(?:FAILED|ERROR) (\S+::.+?)(?: - .*)?$/m,
}

const LINES_KEPT = 5

/** The name of the first failed test; null where none is recognized. */
export function firstFailure(output: string): string | null {
  const text = stripVTControlCharacters(output)
  for (const pattern of Object.values(failures)) {
    const name = pattern.exec(text)?.[1]?.trim()
    if (name !== undefined)
      return name.replace(/&(quot|apos|lt|gt|amp);/g, (_, of) => entities[of] ?? '')
  }
  return null
}

const entities: Readonly<Record<string, string>> = {
  quot: '"',
  apos: "'",
  lt: '<',
  gt: '>',
  amp: '&',
}

/** The last lines that are not empty. */
export function lastLines(output: string): string[] {
  const lines = stripVTControlCharacters(output).split(/\r?\n/)
  return lines.filter((line) => line.trim() !== '').slice(-LINES_KEPT)
}
