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
  /** The path in the body, or the name of a header; `*` is any, `[*]` any in a list. */
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
      // The core takes what is written for the name of a header, also `$.Accept`.
      steps: key === 'body' && name.startsWith('$') ? stepsOf(name) : [name],
      matchers: matchersOf(rule),
      path: ['matchingRules', key, name],
    }))
  })
}

/**
 * The matchers for a value: of the rule that is the heaviest on its path, as the core has it, or of all such, of which the core
 * takes any. A rule applies to all that is below its path, but for `values`.
 */
export function matchersAt(rules: readonly Rule[], part: Rule['part'], steps: Steps): Matcher[] {
  const weights = rules.map((rule) => (rule.part === part ? weightOf(rule, steps) : 0))
  const most = Math.max(1, ...weights)
  return rules
    .filter((_, at) => weights[at] === most)
    .flatMap(({ steps: own, matchers }) =>
      matchers.filter(({ match }) => own.length === steps.length || match !== 'values'),
    )
}

/** How exactly a rule leads to a value or to what it is in, as the core weighs it; 0 where it does not. */
function weightOf({ steps: own }: Rule, steps: Steps): number {
  if (own.length > steps.length) return 0
  const factors = own.map((step, at) => {
    if (isSame(step, steps[at])) return 2
    return step === '*' || (step === '[*]' && /^\d+$/.test(String(steps[at]))) ? 1 : 0
  })
  return factors.reduce<number>((product, factor) => product * factor, own.length + 1)
}

/** Whether the path of a rule leads to something in an example. An empty list may hold anything. */
export function leadsSomewhere(steps: Steps, value: unknown): boolean {
  const [step, ...rest] = steps
  if (step === undefined) return true
  if (typeof value !== 'object' || value === null) return false
  if (step === '*' || (step === '[*]' && Array.isArray(value))) {
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
    ([all, single, double, index, name]) =>
      single ?? double ?? (index === '*' ? all : index) ?? name ?? '',
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
