/** What an agent reads of an answer: long lists and long texts are cut, and say so; an answer that is too long is refused. */
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { mapValues } from '../surface/schema-book.ts'

/** As many events of one advance as an agent reads; `list_records` has them all. */
const ENTRIES_SHOWN = 50

/** As much of a text in one of several records, such as the body of an answer that was logged. */
const TEXT_SHOWN = 1000

/** The most characters of an answer: agents cut longer ones, or refuse them, without a word on how to ask for less. */
const ANSWER_MAX = 100_000

/**
 * An answer whose long lists are cut, but not a page, which is as long as was asked for; of a page of several records, long
 * texts are.
 */
export function shortened(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  return mapValues(value, (each, name) => (name === 'data' ? pageOf(each) : cut(each)))
}

function pageOf(data: unknown): unknown {
  return Array.isArray(data) && data.length > 1 ? data.map(withShortTexts) : data
}

function withShortTexts(value: unknown): unknown {
  if (typeof value === 'string') return cutText(value)
  if (Array.isArray(value)) return value.map(withShortTexts)
  if (typeof value !== 'object' || value === null) return value
  return mapValues(value, withShortTexts)
}

function cutText(text: string): string {
  const left = text.length - TEXT_SHOWN
  if (left <= 0) return text
  return `${text.slice(0, TEXT_SHOWN)}... ${left} more characters are left out here; limit 1 shows all`
}

function cut(value: unknown): unknown {
  if (!Array.isArray(value)) return shortened(value)
  const left = value.length - ENTRIES_SHOWN
  const shown = value.slice(0, ENTRIES_SHOWN).map(cut)
  return left > 0 ? [...shown, `${left} more ${left === 1 ? 'is' : 'are'} left out here`] : shown
}

/** How a tool asked, for who asks in another way. */
interface ToolRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/** Why an answer is too long for a tool that only asks, and how else it is had; null for any other. */
export function tooLong(
  text: string,
  { method, url, headers }: ToolRequest,
  { changesNothing }: { readonly changesNothing?: boolean },
): string | null {
  const less = 'Ask for less: fewer interactions or changes, or a shorter time.'
  if (method !== 'get') return changesNothing === true ? lengthProblem(text, less) : null
  const { 'Sandbox-Id': id, ...others } = headers
  const names = Object.keys(others)
  const more = names.length === 0 ? '' : `, with the header ${names.join(' and ')}`
  const file = `curl -s -H 'Sandbox-Id: ${id}' '${url}' -o FILE${more}`
  return lengthProblem(text, `Ask for less, as by a smaller limit, or write it to a file: ${file}.`)
}

/** Why a text is too long for a tool, and what to do; null for any other. */
export function lengthProblem({ length }: string, advice: string): string | null {
  if (length <= ANSWER_MAX) return null
  return `The answer has ${length} characters; the most that a tool answers are ${ANSWER_MAX}. ${advice}`
}

/** The result of a call of a tool, in texts. */
export function textResult(texts: readonly string[], isError = false): CallToolResult {
  return { content: texts.map((text) => ({ type: 'text', text })), isError }
}

export function errorResult(text: string): CallToolResult {
  return textResult([text], true)
}
