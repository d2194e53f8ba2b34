/** Drops findings about examples whose value the matching rules leave open. */

import { type Matcher, matchersAt, type Rule } from '../pacts/matching-rules.ts'
import type { CompareResult } from './finding-text.ts'

/** Matchers that fix the kind of a value and leave the value open. */
const byKind =
  /^(?:type|number|integer|decimal|boolean|semver|date|time|datetime|timestamp|notEmpty|values|eachKey|eachValue)$/
const statusClasses: Readonly<Record<string, string>> = {
  info: '1',
  success: '2',
  redirect: '3',
  clientError: '4',
  serverError: '5',
  error: '45',
  nonError: '123',
}

/** The results that hold for every value that the rules of a response allow. */
export function dropOpenValues(
  results: readonly CompareResult[],
  rules: readonly Rule[],
): CompareResult[] {
  return results.filter((result) => !isOpen(result, rules))
}

function isOpen(
  { code, mockDetails, specDetails }: CompareResult,
  rules: readonly Rule[],
): boolean {
  const place = mockDetails?.location.replace(/^\[root\]\.interactions\[\d+\]\./, '') ?? ''
  const [side, part, ...rest] = place.split('.')
  if (side !== 'response') return false
  if (code === 'response.status.unknown') return allowsStatus(rules, specDetails?.value)
  const matchers = part === 'body' ? matchersAt(rules, 'body', rest) : headerMatchers(rules, rest)
  if (matchers.length === 0 || code.endsWith('.unknown')) return false
  const allowed = specDetails?.value
  const keyword = specDetails?.location?.split('.').at(-1)
  if (keyword === 'additionalProperties') return false
  return matchers.every((each) =>
    keyword === 'type'
      ? allowsKind(each, mockDetails?.value, allowed)
      : allowsOther(each, mockDetails?.value, allowed),
  )
}

/** Whether a matcher accepts a type of the document that differs from the type of the example. */
function allowsKind({ match }: Matcher, example: unknown, allowed: unknown): boolean {
  const isNumber = typeof example === 'number' && ['type', 'number'].includes(match)
  return isNumber && [allowed].flat().some((type) => type === 'integer' || type === 'number')
}

/** Whether a matcher accepts a value that the document allows. */
function allowsOther(matcher: Matcher, example: unknown, allowed: unknown): boolean {
  const { match } = matcher
  if (byKind.test(match)) return true
  // Whether two patterns match a common text is not decided here; the core checks the answer.
  if (!Array.isArray(allowed)) return match === 'regex' || match === 'include'
  const values = allowed.map(String)
  if (match === 'equality') return values.includes(String(example))
  if (match === 'include') return values.some((each) => each.includes(String(matcher['value'])))
  if (match !== 'regex') return false
  try {
    const whole = new RegExp(`^(?:${matcher['regex']})$`)
    return values.some((each) => whole.test(each))
  } catch {
    // A regex in the core's dialect, which cannot be checked here.
    return true
  }
}

function allowsStatus(rules: readonly Rule[], declared: unknown): boolean {
  const classes = matchersAt(rules, 'status', []).map(({ status }) => status)
  const statuses = Object.keys((declared ?? {}) as object)
  return classes.some((wanted) => {
    if (Array.isArray(wanted)) return wanted.some((each) => statuses.includes(String(each)))
    return statuses.some((each) => (statusClasses[String(wanted)] ?? '').includes(each.charAt(0)))
  })
}

/** The names of headers have no case, and a rule may be for each of several values. */
export function headerMatchers(rules: readonly Rule[], [name = '']: readonly string[]) {
  const isNamed = ({ steps: [step] }: Rule) => String(step).toLowerCase() === name.toLowerCase()
  return rules.find((rule) => rule.part === 'header' && isNamed(rule))?.matchers ?? []
}
