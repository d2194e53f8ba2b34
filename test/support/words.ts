/**
 * Checks the words of comments, texts and pages against phrases that are hard to translate. Each phrase has the words
 * to write instead. Does not check names.
 */
import type { Files } from './repository.ts'

/** The phrases, as patterns of whole words, and what to write instead. */
const phrases: readonly (readonly [pattern: string, instead: string])[] = [
  ["of (?:its|their|his|our|your|one's) own", 'its own ..., separate'],
  ['(?:come|comes|came|coming) to', 'result'],
  ['where there (?:is|are|was|were) none', 'if absent, null if ...'],
  [String.raw`(?<!there\s)(?:is|are|was|were) none`, 'invalid, unknown, is not a ...'],
  ['(?:lives|lived)', 'runs, exists, is kept in'],
  ['(?:is|are|was|were|be|been) told|told of', 'receives, is notified'],
  ['(?:becomes?|became) of', 'result of'],
  ['(?:stands|stood)', 'is, has the status, is stored'],
  ['(?:is|are|be|decides?|decided|answers?|answered) otherwise', 'differently'],
  ['what (?:is|are|was|were|it|they) (?:asks?|asked) for', 'request'],
  ['(?:whoever|whomever)', 'the caller, the reader'],
  ['(?:takes?|took) the place of', 'replaces'],
  ['anew', 'again'],
]

const patterns = phrases.map(([pattern, instead]) => ({
  pattern: new RegExp(String.raw`\b(?:${pattern.replaceAll(' ', String.raw`\s+`)})\b`, 'gi'),
  instead,
}))

/** Phrases in the files, also across lines, by file and line. */
export function wordProblems(files: Files): string[] {
  return [...files].flatMap(([path, text]) => {
    const joined = text.replace(/\n[ \t]*(?:\*(?!\/)|\/\/|-)?/g, withSpaces)
    return patterns.flatMap(({ pattern, instead }) =>
      [...joined.matchAll(pattern)].map(({ index, 0: found }) => {
        const line = joined.slice(0, index).split('\n').length
        return `${path}:${line} has "${found.replace(/\s+/g, ' ')}"; write: ${instead}`
      }),
    )
  })
}

/** The same files with their comments alone, on the same lines; pages are whole. */
export function commentsOf(files: Files): Files {
  const comment = /^\s*(?:\/?\*|\/\/).*|\s\/\/\s.*/
  return new Map(
    [...files].map(([path, text]) => {
      if (path.endsWith('.md')) return [path, text]
      const lines = text.split('\n').map((line) => comment.exec(line)?.[0] ?? '')
      return [path, lines.join('\n')]
    }),
  )
}

/** A line break keeps its place; the indent and the mark after it count as spaces. */
function withSpaces(lineBreak: string): string {
  return `\n${' '.repeat(lineBreak.length - 1)}`
}
