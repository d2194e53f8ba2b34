/** What no report repeats: tokens that a provider answered. Those of a contract stand in its file anyway. */

/** What stands in the place of one. */
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
