/**
 * Refusals on their way to the wire (their codes and statuses are in wire/common/error-codes), and values as their messages
 * print them. Owns the one exception of this product, which carries a refusal to the one place that answers it.
 */
import type { AssumptionSlug, Settings } from '../assumptions/register.ts'
import { isRefusal } from '../billing/refusal.ts'
import { maskSecrets } from '../masking/looks.ts'
import { maskText } from '../masking/mask.ts'
import { type Code, codeTable, type RefusalStatus } from '../wire/common/error-codes.ts'
import { countText } from '../wire/common/text.ts'
import type { Refusal } from '../world/refusal.ts'
import { memberOf } from './schema-walk.ts'

/** The refusals of the redemption of a coupon. */
export const couponRefusals = [
  'currency_mismatch',
  'coupon_expired',
  'coupon_exhausted',
  'coupon_not_applicable',
] as const satisfies readonly Code[]

/** One invalid field, and why; `field` is its path in the usual notation, such as `outcomes[1]`. */
export interface FieldProblem {
  readonly field: string
  readonly message: string
  /** The assumption whose bounds the value breaks. */
  readonly assumption?: AssumptionSlug
}

export interface RefusalContext {
  readonly fields?: readonly FieldProblem[]
  readonly assumptions?: readonly AssumptionSlug[]
  readonly headers?: Readonly<Record<string, string>>
}

/** A refusal on its way to the error envelope of its surface. */
export class RefusalError extends Error {
  readonly code: Code
  readonly fields: readonly FieldProblem[]
  readonly assumptions: readonly AssumptionSlug[]
  readonly headers: Readonly<Record<string, string>>

  constructor(code: Code, message: string, context: RefusalContext = {}) {
    super(visible(maskSecrets(message)))
    this.name = 'RefusalError'
    this.code = code
    this.fields = (context.fields ?? []).map((problem) => ({
      ...problem,
      field: shorten(problem.field),
      message: visible(maskSecrets(problem.message)),
    }))
    // Each one once, also in a refusal that is made from another one.
    this.assumptions = [
      ...new Set([...codeTable[code].assumptions, ...(context.assumptions ?? [])]),
    ]
    this.headers = context.headers ?? {}
  }
}

/** A text with each character that nobody can see written as JSON escapes it, such as a zero width space. */
function visible(text: string): string {
  return text.replace(/[\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    Array.from({ length: character.length }, (_, at) => {
      const unit = character.charCodeAt(at).toString(16)
      return `\\u${unit.padStart(4, '0')}`
    }).join(''),
  )
}

/** The most characters of a value or a name in a message. */
const SHOWN_MAX = 100
/** Longer than any token: one that begins before the cut is recognised as a whole. */
const LOOKED_AT_MAX = 1000

/** The beginning of a text from a request, for messages; masked before it is cut, so that no half of a token is left. */
export function shorten(text: string): string {
  return maskText(text.slice(0, LOOKED_AT_MAX)).slice(0, SHOWN_MAX)
}

/** The status of a code; that of `invalid_grant` is a setting. (Interface section 7) */
export function statusOf(
  code: Code,
  settings: Pick<Settings, 'invalidGrantStatus'>,
): RefusalStatus {
  return code === 'invalid_grant' ? settings.invalidGrantStatus : codeTable[code].status
}

/** A result. Throws if it is a refusal. */
export function orThrow<Answer>(answer: Answer | Refusal): Answer {
  if (isRefusal(answer)) throw toRefusalError(answer)
  return answer as Answer
}

/** A refusal of the sandbox as an exception for its envelope. */
export function toRefusalError({ refused, message, assumptions }: Refusal): RefusalError {
  return new RefusalError(refused, message, { assumptions })
}

/** The most problems that a refusal lists, and that are computed. */
export const PROBLEMS_SHOWN_MAX = 20

/** How many problems are not listed, in one sentence where there are any. */
export function moreProblems(count: number): string[] {
  const text = countText(count, 'more problem is', 'more problems are')
  return count === 0 ? [] : [`${text} not listed.`]
}

/** The refusal of a request with these problems, and with so many more that were not computed. */
export function invalidFields(problems: readonly FieldProblem[], more = 0): RefusalError {
  const fields = problems.slice(0, PROBLEMS_SHOWN_MAX)
  const hidden = moreProblems(problems.length - fields.length + more)
  const sentences = [...fields.map((problem) => problem.message), ...hidden]
  const assumptions = fields.flatMap(({ assumption }) => assumption ?? [])
  return new RefusalError('invalid_request', sentences.join(' '), { fields, assumptions })
}

/** The refusal of one field, for a rule that is put into words after its name. */
export function invalidField(field: string, rule: string): RefusalError {
  return invalidFields([{ field, message: `${field} ${rule}.` }])
}

/** A value in a message: JSON, cut short. */
export function printValue(value: unknown): string {
  if (typeof value === 'number' && !Number.isFinite(value)) return 'a number out of range'
  const text = JSON.stringify(truncate(value, { values: SHOWN_MAX })) ?? 'nothing'
  const shown = maskText(text)
  return shown.length > SHOWN_MAX ? `${shown.slice(0, SHOWN_MAX)}...` : shown
}

/** The printed part of a value, since a body may be one value. */
function truncate(value: unknown, left: { values: number }): unknown {
  left.values -= 1
  if (typeof value === 'string') return value.slice(0, LOOKED_AT_MAX)
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    return value.slice(0, Math.max(0, left.values)).map((each) => truncate(each, left))
  }
  const names = Object.keys(value).slice(0, Math.max(0, left.values))
  return Object.fromEntries(names.map((name) => [name, truncate(memberOf(value, name), left)]))
}

/** A field's name as messages print it: bare where it is plain, quoted and cut where it is not. */
export function printName(name: string): string {
  const shown = shorten(name)
  return /^[\w.[\]]+$/.test(name) && shown === name ? name : JSON.stringify(shown)
}
