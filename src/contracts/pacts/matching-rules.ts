/**
 * The matching rules of a pact, versions 2 to 4: which values an answer may have. An example does not pin what a rule
 * leaves open. How the core applies a rule is not decided here.
 */
import * as z from 'zod'

type Step = string | number
type Steps = readonly Step[]

/** The core takes `each-value` for `eachValue`, and so on. */
const MatcherName = z
  .string()
  .transform((name) => name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase()))

const Matcher = z.looseObject({ match: MatcherName })
export type Matcher = z.output<typeof Matcher>

/** One rule, and the matchers that a value has to pass. */
export interface Rule {
  readonly part: 'body' | 'header' | 'status'
  /** The path in the body, or the name of a header; `*` matches any. */
  readonly steps: Steps
  readonly matchers: readonly Matcher[]
  /** Its path in the request or response. */
  readonly path: readonly string[]
}

/** The parts whose fields have rules that are read here; version 2 writes `headers`, too. */
const PartWithFields = z.enum(['body', 'header'])

/** The rules of a request or response. Rules that cannot be read are left to the core. */
export function rulesOf(side: unknown): Rule[] {
  const { matchingRules } = (side ?? {}) as { matchingRules?: unknown }
  return entriesOf(matchingRules).flatMap(([key, value]): Rule[] => {
    if (key.startsWith('$')) {
      const [first, ...steps] = stepsOf(key)
      const part = PartWithFields.safeParse(first === 'headers' ? 'header' : first)
      const matcher = Matcher.safeParse(value)
      if (!part.success || !matcher.success) return []
      return [{ part: part.data, steps, matchers: [matcher.data], path: ['matchingRules', key] }]
    }
    if (key === 'status') {
      // It has no fields. Some tools write the rule below a `$`, others do not.
      const rules = [value, ...entriesOf(value).map(([, rule]) => rule)]
      const path = ['matchingRules', key]
      return [{ part: key, steps: [], matchers: rules.flatMap(matchersOf), path }]
    }
    if (key !== 'body' && key !== 'header') return []
    return entriesOf(value).map(([name, rule]) => ({
      part: key,
      steps: name.startsWith('$') ? stepsOf(name) : [name],
      matchers: matchersOf(rule),
      path: ['matchingRules', key, name],
    }))
  })
}

/** The matchers for a value: of the longest rule on its path that applies to the value or to everything below. */
export function matchersAt(
  rules: readonly Rule[],
  part: Rule['part'],
  steps: Steps,
): readonly Matcher[] {
  const leading = rules.filter((rule) => {
    if (rule.part !== part || rule.steps.length > steps.length) return false
    const isOnTheWay = rule.steps.every((step, at) => step === '*' || isSame(step, steps[at]))
    const isThere = rule.steps.length === steps.length
    return isOnTheWay && (isThere || rule.matchers.some(({ match }) => passedOn.includes(match)))
  })
  const exactness = ({ steps: own }: Rule) =>
    own.length * 1000 + own.filter((step) => step !== '*').length
  const [best] = leading.sort((one, other) => exactness(other) - exactness(one))
  return best?.matchers ?? []
}

/** The matchers that apply to everything below their path. */
const passedOn = ['type', 'values', 'eachValue']

/** Whether the path of a rule leads to something in an example. An empty list may hold anything. */
export function leadsSomewhere(steps: Steps, value: unknown): boolean {
  const [step, ...rest] = steps
  if (step === undefined) return true
  if (typeof value !== 'object' || value === null) return false
  if (step === '*') {
    const inner = Object.values(value)
    return inner.length === 0 || inner.some((each) => leadsSomewhere(rest, each))
  }
  const found = Object.entries(value).find(([name]) => isSame(step, name))
  return found !== undefined && leadsSomewhere(rest, found[1])
}

function isSame(step: Step, other: Step | undefined): boolean {
  return String(step) === String(other)
}

/** Takes `$.a['b'][0].*` apart. */
function stepsOf(path: string): Step[] {
  const step = /\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]|\[(\d+|\*)\]|\.?([^.[\]]+)/g
  return [...path.slice(1).matchAll(step)].map(
    ([, single, double, index, name]) => single ?? double ?? index ?? name ?? '',
  )
}

function matchersOf(rule: unknown): Matcher[] {
  const { matchers } = (rule ?? {}) as { matchers?: unknown }
  const { data = [] } = z.array(Matcher).safeParse(matchers)
  // What may be null has the values that the other matchers allow.
  return data.filter(({ match }) => match !== 'null')
}

function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : []
}
