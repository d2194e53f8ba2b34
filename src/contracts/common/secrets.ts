/** Hides tokens of answers in reports. Tokens in a pact are in its file anyway. */

/** The text in place of a token. */
export const NOT_SHOWN = '(not shown)'

const members = /("(?:access|refresh)_token"\s*:\s*")(?:[^"\\]|\\.)*(")/g

/** A text, JSON or with JSON in it, without the tokens in it. */
export function withoutTokens(text: string): string {
  return text.replace(members, `$1${NOT_SHOWN}$2`)
}

/** Whether a path such as `$.access_token` leads to a token. */
export function leadsToToken(path: string): boolean {
  return /(?:access|refresh)_token['"\]]*$/.test(path)
}
