/** Hides tokens of answers in reports, by the names that services give them. Tokens in a pact are in its file anyway. */

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

/** Whether a path such as `$.access_token` leads to a token. */
export function leadsToToken(at: string): boolean {
  return path.test(at)
}

/** The value of a header, unless its name is that of a token. */
export function shownHeader(name: string, value: string): string {
  return header.test(name) ? NOT_SHOWN : value
}
