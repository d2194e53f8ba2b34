/** The answer of a provider, as a report shows it. */
import type { ProviderAnswer } from '../recorder.ts'
import { withoutTokens } from '../secrets.ts'
import type { AnswerReport } from './report.ts'

/** How much of a body is shown. */
const BODY_MAX = 4000

/** An answer without its tokens, cut if it is too long. */
export function answerReport(answer: ProviderAnswer | null): AnswerReport | null {
  if (answer === null) return null
  const { status, headers, body } = answer
  const text = withoutTokens(body)
  const left = text.length - BODY_MAX
  return {
    status,
    headers: headers.map(([name, value]) => [name, value]),
    body: left > 0 ? `${text.slice(0, BODY_MAX)}… (${left} characters more)` : text,
  }
}

/** The lines of an answer as curl prints them. */
export function answerLines({ status, headers, body }: AnswerReport): string[] {
  const lines = headers.map(([name, value]) => `${name}: ${value}`)
  return [`HTTP ${status}`, ...lines, ...(body === '' ? [] : ['', ...body.split('\n')])]
}
