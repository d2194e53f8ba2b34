/** The fenced blocks of a page in Markdown: commands, the files that they work on, and what is neither. */
import { readFile } from 'node:fs/promises'
import { parse } from 'yaml'

export interface Fence {
  readonly language: string
  readonly text: string
  /** Of its first line in the page. */
  readonly line: number
}

/** A file that a page shows: its first line is a comment with its name. */
export interface ShownFile {
  readonly name: string
  readonly text: string
}

/** A command, and what the page says that it prints; null where it says nothing. */
export interface Exchange {
  readonly command: string
  readonly output: string | null
}

/** Every fenced block, in order. */
export function fencesOf(page: string): Fence[] {
  return [...page.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map((found) => ({
    language: found[1] ?? '',
    text: found[2] ?? '',
    line: page.slice(0, found.index).split('\n').length + 1,
  }))
}

/** The file that a block shows, or null where its first line names none. */
export function fileOf({ text }: Fence): ShownFile | null {
  const [, name] = /^(?:\/\/|#) ([\w./-]+\.\w+)\n/.exec(text) ?? []
  return name === undefined ? null : { name, text }
}

/**
 * What a block has typed. In `console`, a line that begins with `$ ` is a command, and the lines up to the next one are
 * its output. `sh` is a script that has to succeed.
 */
export function exchangesIn(fence: Fence): Exchange[] {
  const { language, text } = fence
  if (fileOf(fence) !== null) return []
  if (language === 'sh') return [{ command: text.trim(), output: null }]
  if (language !== 'console') return []
  return text
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const lines = part.split('\n')
      const last = lines.findIndex((line) => !line.endsWith('\\'))
      return {
        command: lines.slice(0, last + 1).join('\n'),
        output: lines
          .slice(last + 1)
          .join('\n')
          .trim(),
      }
    })
}

/** The command of a page that begins with some words: what a reader of it types. */
export async function commandIn(page: string, start: string): Promise<string> {
  const found = commandsOf(fencesOf(await readFile(page, 'utf8')))
  const command = found.find((each) => each.startsWith(start))
  if (command === undefined) throw new Error(`${page} has no command that begins with ${start}`)
  return command
}

/** The files that a page shows. */
export async function filesIn(page: string): Promise<ShownFile[]> {
  return fencesOf(await readFile(page, 'utf8')).flatMap((fence) => fileOf(fence) ?? [])
}

/** Every command: those that are typed, then those of pipelines. */
export function commandsOf(fences: readonly Fence[]): string[] {
  const typed = fences.flatMap(exchangesIn).map(({ command }) => command)
  const yaml = fences.filter(({ language }) => language === 'yaml')
  return [...typed, ...yaml.flatMap(({ text }) => commandsOfYaml(text))]
}

/** The commands in a file for GitHub's or GitLab's CI, or for compose, in order. */
export function commandsOfYaml(text: string): string[] {
  return commandsIn(parse(text))
}

function commandsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    if (!['run', 'script', 'command'].includes(key)) return commandsIn(inner)
    return Array.isArray(inner) ? inner.map(String) : [String(inner)]
  })
}
