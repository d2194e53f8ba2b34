/** What reports show of answers: no tokens, and no more than the beginning of a long text. Tokens in a pact are in its file anyway. */
import { isSecretName } from '../../masking/looks.ts'

/** Whether a path such as `$.access_token` leads to a token, or a header of this name holds one. */
export function leadsToToken(at: string): boolean {
  return at.split(/[.[\]'"]+/).some(isSecretName)
}

/** How much of a body is shown. */
const BODY_MAX = 4000

/** A text, cut if it is too long. */
export function cutText(text: string): string {
  const left = text.length - BODY_MAX
  return left > 0 ? `${text.slice(0, BODY_MAX)}… (${left} more)` : text
}
