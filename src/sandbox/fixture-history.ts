/**
 * The history of a fixture: computes when each step happens. Owns the problems of a fixture and their paths.
 */
import { isRefusal } from '../billing/refusal.ts'
import {
  addMillis,
  addMonths,
  type Duration,
  type Instant,
  isWritable,
  millisOf,
} from '../time/instant.ts'
import { CLOCK_MAX } from '../world/advance.ts'
import type { Refusal } from '../world/refusal.ts'
import type { Success } from '../world/results.ts'
import type { Fixture } from './fixture-format.ts'

/** A problem in a fixture; `field` is its path. */
export interface FixtureProblem {
  readonly field: string
  readonly message: string
}

/** A fixture cannot be used, for one reason or for several. */
export class FixtureError extends Error {
  override readonly name = 'FixtureError'
  readonly problems: readonly FixtureProblem[]

  constructor(...problems: readonly FixtureProblem[]) {
    super(problems.map(({ message }) => message).join(' '))
    this.problems = problems
  }
}

/** A problem at a path of a fixture, and the rule that it breaks. */
export function fixtureError(field: string, rule: string): FixtureError {
  return new FixtureError({ field, message: `${field} ${rule}` })
}

/**
 * When a history begins and ends, and when each of its steps happens. Throws `FixtureError` if the times go backwards or mix
 * `at` and `ago`.
 */
export function timesOf({ now, history }: Fixture, startAt: Instant | null) {
  const isAgo = history.some(({ ago }) => ago !== undefined)
  const isFixed = history.some(({ at }) => at !== undefined)
  const start = inTime('now', isFixed ? now : (startAt ?? now))
  const instantOf = isAgo ? agoOf : atOf
  let last: Instant | null = isAgo ? null : start
  const steps = history.map((step, index) => {
    const field = `history[${index}]`
    const instant: Instant = instantOf(step, field, { start, last })
    if (last !== null && instant < last) {
      const rule = `must not be before ${last}, where the history stands by then; got ${instant}.`
      throw fixtureError(field, rule)
    }
    last = instant
    return instant
  })
  const [begin = start] = steps
  return isAgo ? { begin, end: start, steps } : { begin: start, end: last ?? start, steps }
}

type Step = Fixture['history'][number]
interface SoFar {
  readonly start: Instant
  readonly last: Instant | null
}

function atOf({ at }: Step, field: string, { start, last }: SoFar): Instant {
  return inTime(`${field}.at`, at ?? last ?? start)
}

/** An instant that the clock can reach. */
function inTime(field: string, instant: Instant): Instant {
  if (instant <= CLOCK_MAX) return instant
  throw fixtureError(field, `must be ${CLOCK_MAX} or earlier; got ${instant}.`)
}

function agoOf({ at, ago }: Step, field: string, { start, last }: SoFar): Instant {
  if (at !== undefined)
    throw fixtureError(`${field}.at`, 'must be absent, because other steps say ago.')
  if (ago !== undefined) return subtractDuration(start, ago, `${field}.ago`)
  if (last !== null) return last
  throw fixtureError(`${field}.ago`, 'is missing; the first step must say when it is.')
}

/** The instant a duration earlier: the exact part first, so that whole months follow it. */
function subtractDuration(instant: Instant, { months, millis }: Duration, field: string): Instant {
  const first = millisOf(instant) - millis
  const year = new Date(isWritable(first) ? first : 0).getUTCFullYear()
  if (!isWritable(first) || year * 12 - months < 1971 * 12) {
    throw fixtureError(field, `must not reach back before 1971 from ${instant}.`)
  }
  return addMonths(addMillis(instant, -millis), -months)
}

/** Throws `FixtureError` for a refusal. */
export function throwRefusal(field: string, answer: Success<unknown> | Refusal | null): void {
  const problem = refusalProblem(field, answer)
  if (problem !== null) throw new FixtureError(problem)
}

/** A refusal as a problem of the fixture; null if there is no refusal. */
export function refusalProblem(
  field: string,
  answer: Success<unknown> | Refusal | null,
): FixtureProblem | null {
  return isRefusal(answer) ? { field, message: `${field}: ${answer.message}` } : null
}
