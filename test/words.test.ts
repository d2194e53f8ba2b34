import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { Files } from './support/repository.ts'
import { commentsOf, wordProblems } from './support/words.ts'

/** The folders whose comments are checked. */
const folders =
  'assumptions|billing|cli|contracts|dashboard/(?:flow|forms|page-kinds|pages|reading|subscription)|http/contracts|http/recording|library|provider|sandbox|store|surface|time|tokens|wire|world'
const comments = new RegExp(String.raw`^src/((${folders})/|[a-z]+\.ts$)`)

/** The folders whose texts are checked too, such as descriptions and messages. */
const texts = /^src\/(billing|surface|time|tokens)\//

/** Pages; those that are written by a command have the words of the code. */
const pages =
  /^(?!docs\/(?:fidelity|speed)\.md)(?:docs\/.*|(?:contracts|clients|examples)\/.*|[A-Z]+)\.md$|^llms\.txt$/

it('has no phrase in comments, texts and decisions that is hard to translate', () => {
  expect(read(comments).size).toBeGreaterThan(100)
  expect(read(pages).size).toBeGreaterThan(25)
  expect(wordProblems(commentsOf(read(comments)))).toEqual([])
  expect(wordProblems(read(texts))).toEqual([])
  expect(wordProblems(read(pages))).toEqual([])
})

it.each([
  ['/** Has a clock of its own. */', 'src/a.ts:1 has "of its own"; write: its own ..., separate'],
  ['\n// What an advance came\n// to.', 'src/a.ts:2 has "came to"; write: result'],
  ['/** Null where there is none. */', 'src/a.ts:1 has "where there is none"'],
  ['/**\n * A key that\n * is none. */', 'src/a.ts:3 has "is none"'],
  ['start() // It lives in memory.', 'src/a.ts:1 has "lives"'],
  ['/** A webhook is told\n * of events. */', 'src/a.ts:1 has "is told"'],
  ['/** What became of it. */', 'src/a.ts:1 has "became of"'],
  ['/** Where the clock stands. */', 'src/a.ts:1 has "stands"'],
  ['/** It decides otherwise. */', 'src/a.ts:1 has "decides otherwise"'],
  ['/** Answers what is asked for. */', 'src/a.ts:1 has "what is asked for"'],
  ['/** Whoever reads it. */', 'src/a.ts:1 has "Whoever"'],
  ['/** Takes the place of a world. */', 'src/a.ts:1 has "Takes the place of"'],
  ['/** Begins anew. */', 'src/a.ts:1 has "anew"'],
])('finds the phrase planted in %s', (planted, problem) => {
  const files = new Map([['src/a.ts', planted]])
  expect(wordProblems(commentsOf(files))).toEqual([expect.stringContaining(problem)])
})

it('finds a phrase in a text only where texts are checked, and knows "there is none"', () => {
  const files = new Map([['src/a.ts', "const rule = 'It stands.'\n// Null if there is none."]])
  expect(wordProblems(commentsOf(files))).toEqual([])
  expect(wordProblems(files)).toHaveLength(1)
})

function read(pattern: RegExp): Files {
  const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'])
  const paths = tracked.toString().split('\n')
  const chosen = paths.filter((path) => pattern.test(path) && existsSync(path))
  return new Map(chosen.map((path) => [path, readFileSync(path, 'utf8')]))
}
