/**
 * Checks of what is written about the repository, in pages and comments: that the paths, the modules and the rules they
 * name exist. Each takes texts and answers problems, so that a test can plant one and see it found.
 */
import { dirname, join, normalize } from 'node:path'
import { fencesOf, fileOf } from './fences.ts'
import type { Files } from './repository.ts'

const roots =
  'src|test|docs|bench|scripts|contracts|fixtures|billing|http|sandbox|store|wire|openapi|tokens|assumptions'

/** Names of files, what is said to be below a folder of the repository, and the modules that a comment refers to. */
const named = new RegExp(
  [
    String.raw`(?<![\w./*<-])(?:\.\./)*(?:[\w-]+/)*[\w-]+(?:\.[\w-]+)*\.(?:ts|mjs|md|sh)\b`,
    String.raw`(?<![\w./-])(?:${roots})/[\w./-]*\w`,
    String.raw`(?<=\(see )[a-z-]+(?:, [a-z-]+)*(?: and [a-z-]+)?(?=\))`,
  ].join('|'),
  'g',
)

/**
 * Paths and modules that are named and do not exist. A path may begin at the root, at `src/`, or at its last folders; a
 * file that a page shows is there.
 */
export function pathProblems(texts: Files, paths: readonly string[]): string[] {
  const ends = new Set(paths.flatMap(endsOf))
  return [...texts].flatMap(([from, text]) => {
    const shown = fencesOf(text).flatMap((fence) => fileOf(fence)?.name ?? [])
    return [...prose(from, text).matchAll(named)]
      .flatMap(([match]) => match.split(/, | and /))
      .filter((name) => !ends.has(name) && !ends.has(normalize(join(dirname(from), name))))
      .filter((name) => !shown.includes(name))
      .map((name) => `${from} names ${name}, which does not exist`)
  })
}

/** Citations: the number before a title, and `rule 4.2` anywhere. */
const cited = /(?<=['"`])\d+(?:\.\d+)?(?=: )|(?<=\b[Rr]ules? )\d+\.\d+(?:(?:, | and )\d+\.\d+)*/g

/** In a page, also `(4.2, 4.5)`. */
const citedInPage = new RegExp(`${cited.source}|(?<=\\()\\d+\\.\\d+(?:, \\d+\\.\\d+)*(?=\\))`, 'g')

/** Rules that are cited and that the page of rules does not have. */
export function ruleProblems(texts: Files, page: string): string[] {
  const rules = new Set(
    [...page.matchAll(/^(?:\*\*|## )(\d+(?:\.\d+)?)\b/gm)].map(([, rule]) => rule),
  )
  return [...texts].flatMap(([from, text]) =>
    [...text.matchAll(from.endsWith('.md') ? citedInPage : cited)]
      .flatMap(([match]) => match.split(/, | and /))
      .filter((rule) => !rules.has(rule))
      .map((rule) => `${from} cites rule ${rule}, which does not exist`),
  )
}

/** What a page or the comments of a module say, and nothing else of it. */
function prose(path: string, text: string): string {
  if (path.endsWith('.md')) return text
  return [...text.matchAll(/^\s*(?:\/\*\*|\*|\/\/)(.*)$/gm)].map(([, line]) => line).join('\n')
}

/** Every way to name a path or a folder on its way: from any of its folders on, and without its extension. */
function endsOf(path: string): string[] {
  const parts = path.split('/')
  const ends = parts.flatMap((_, from) =>
    parts.slice(from).map((_, length) => parts.slice(from, from + length + 1).join('/')),
  )
  return [...ends, ...ends.map((end) => end.replace(/\.\w+$/, ''))]
}
