/**
 * What reports show of answers: no tokens, by the names that services give them, and no more than the beginning of a long
 * text. Tokens in a pact are in its file anyway.
 */

/** The text in place of a token. */
export const NOT_SHOWN = '(not shown)'

const NAME = String.raw`\w*(?:token|secret|password)`

const members = new RegExp(String.raw`("${NAME}"\s*:\s*")(?:[^"\\]|\\.)*(")`, 'gi')
const path = new RegExp(String.raw`\b${NAME}['"\]]*$`, 'i')
const header = /cookie|token|secret|api-?key|^authorization$/i

/** A text, JSON or with JSON in it, without the tokens in it. */
export function withoutTokens(text: string): string {
  return text.replace(members, `$1${NOT_SHOWN}$2`)
}

/** Whether a path such as `$.access_token` leads to a token, or a header of this name holds one. */
export function leadsToToken(at: string): boolean {
  return path.test(at) || (!at.startsWith('$') && header.test(at))
}

/** The value of a header, unless its name is that of a token. */
export function shownHeader(name: string, value: string): string {
  return header.test(name) ? NOT_SHOWN : value
}

/** How much of a body is shown. */
const BODY_MAX = 4000

/** A text, cut if it is too long. */
export function cutText(text: string): string {
  const left = text.length - BODY_MAX
  return left > 0 ? `${text.slice(0, BODY_MAX)}… (${left} more)` : text
}
