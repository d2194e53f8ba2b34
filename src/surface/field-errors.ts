/**
 * Field errors: turns what zod found into sentences that name the field, the rule and the value.
 * Owns the wording of every 400 about a field; never prints a secret.
 */
import * as z from 'zod'
import { nearestNames } from '../world/results.ts'
import {
  type FieldProblem,
  invalidFields,
  PROBLEMS_SHOWN_MAX,
  printName,
  printValue,
} from './refusals.ts'
import {
  chosenOption,
  fieldsOf,
  memberOf,
  metaOf,
  optionsOf,
  schemaAt,
  unwrap,
  variantFor,
} from './schema-walk.ts'

/** What is wrong with a value: the first problems, and how many more there are. */
export interface Problems {
  readonly shown: readonly FieldProblem[]
  readonly more: number
}

type Issue = z.core.$ZodIssue

/** Checks a value; throws 400 with the first problems, in the order of the fields. */
export function validate(schema: z.ZodType, value: unknown): unknown {
  const result = parse(schema, value)
  if ('data' in result) return result.data
  throw invalidFields(result.shown, result.more)
}

/** Reads a value by its schema, or says what is wrong with it. */
export function parse<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): { readonly data: z.output<Schema> } | Problems {
  const result = schema.safeParse(value)
  if (result.success) return { data: result.data }
  return problemsOf(schema, value, result.error.issues)
}

/** What is wrong with a value, one problem for each field at fault. */
function problemsOf(schema: z.ZodType, value: unknown, issues: readonly Issue[]): Problems {
  const problems = new Map<string, FieldProblem>()
  let more = 0
  for (const issue of issues) {
    if (problems.size >= PROBLEMS_SHOWN_MAX) {
      more += issue.code === 'unrecognized_keys' ? issue.keys.length : 1
      continue
    }
    const found = problemsOfIssue(schema, value, issue)
    more += found.more
    for (const problem of found.shown) {
      if (!problems.has(problem.field)) problems.set(problem.field, problem)
    }
  }
  return { shown: [...problems.values()], more }
}

function problemsOfIssue(schema: z.ZodType, value: unknown, issue: Issue): Problems {
  if (issue.code === 'unrecognized_keys') return unknownFields(schema, value, issue)
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    return unionProblems(schema, value, issue)
  }
  return fieldProblem(schema, value, issue.path)
}

function unknownFields(
  schema: z.ZodType,
  value: unknown,
  issue: Pick<Foreign, 'path' | 'keys'>,
): Problems {
  const held = issue.path.reduce<unknown>(memberOf, value)
  const found = schemaAt(schema, issue.path, value) ?? schema
  const known = [...fieldsOf(variantFor(found, held)).keys()]
  const none = metaOf(found).accepts ?? 'there are no fields here'
  // The names of all fields are said once: of a wrong file, every field may be unknown.
  let list = `: ${known.join(', ')}`
  const rule = (key: string) => {
    if (known.length === 0) return none
    const { likely } = nearestNames(key, known)
    const guess = likely === null ? '' : `did you mean ${likely}?`
    const fields = list && (likely === null ? `fields${list}` : ` Fields${list}`)
    list = ''
    return `${guess}${fields}`
  }
  return foreignFields(found, { ...issue, held, rule })
}

/** Keys at a path that cannot be there, and the rule for one that nothing knows. */
interface Foreign {
  readonly path: readonly PropertyKey[]
  readonly keys: readonly string[]
  readonly held: unknown
  readonly rule: (key: string) => string
}

function foreignFields(found: z.ZodType, { path, keys, held, rule }: Foreign): Problems {
  const pathOf = (key: string) => pathText([...path, key])
  const shown = keys.slice(0, PROBLEMS_SHOWN_MAX).map((key): FieldProblem => {
    const excluded = exclusionText(found, key, { value: held, pathOf })
    const fault = excluded ?? ['is not a known field', rule(key)].filter(Boolean).join('; ')
    const end = fault.endsWith('?') ? '' : '.'
    return { field: pathOf(key), message: `${printName(pathOf(key))} ${fault}${end}` }
  })
  return { shown, more: keys.length - shown.length }
}

/** Of several alternatives, the one that the value comes closest to says what is wrong. */
function unionProblems(
  schema: z.ZodType,
  value: unknown,
  issue: Issue & { readonly errors: readonly (readonly Issue[])[] },
): Problems {
  const found = schemaAt(schema, issue.path, value) ?? schema
  const held = issue.path.reduce<unknown>(memberOf, value)
  const scores = issue.errors.map((issues) => mismatchCount(issues, held))
  const least = Math.min(...scores)
  const best = scores.indexOf(least)
  const option = optionsOf(found)[best]
  if (option === undefined || !(unwrap(option) instanceof z.ZodObject)) {
    return fieldProblem(schema, value, issue.path)
  }
  const issues = issue.errors[best] ?? []
  const isNoObject = issues.some(({ code, path }) => code === 'invalid_type' && path.length === 0)
  if (isNoObject) return fieldProblem(schema, value, issue.path)
  const foreign = issues.flatMap(foreignKeys)
  const isUndecided = least > 0 && scores.lastIndexOf(least) !== best
  const accepts = metaOf(found).accepts
  if (isUndecided && accepts !== undefined) {
    const whole = issue.path.length === 0 ? 'the body' : pathText(issue.path)
    const rule = `${whole} must be ${accepts}`
    return foreign.length === 0
      ? fieldProblem(schema, value, issue.path)
      : foreignFields(found, { path: issue.path, keys: foreign, held, rule: () => rule })
  }
  const others = issues.filter((each) => foreignKeys(each).length === 0)
  const own = problemsOf(option, held, others)
  const named = own.shown.map(({ field, message }) => ({
    field: pathText([...issue.path, field]),
    message: issue.path.length === 0 ? message : `${pathText(issue.path)}.${message}`,
  }))
  // What was meant by a key that the alternative does not know may be a field of any of them.
  const unknown = unknownFields(schema, value, { keys: foreign, path: issue.path })
  return { shown: [...named, ...unknown.shown], more: own.more + unknown.more }
}

function foreignKeys(issue: Issue): readonly string[] {
  return issue.code === 'unrecognized_keys' && issue.path.length === 0 ? issue.keys : []
}

/** How many keys of an alternative are missing from the value or foreign to it. */
function mismatchCount(issues: readonly Issue[], value: unknown): number {
  return issues.reduce((sum, issue) => {
    const [key, ...deeper] = issue.path
    if (key === undefined) return sum + (issue.code === 'unrecognized_keys' ? issue.keys.length : 1)
    return deeper.length === 0 && memberOf(value, key) === undefined ? sum + 1 : sum
  }, 0)
}

function fieldProblem(schema: z.ZodType, value: unknown, path: readonly PropertyKey[]): Problems {
  const field = path.length === 0 ? 'body' : pathText(path)
  const name = path.length === 0 ? 'The body' : printName(field)
  const at = schemaAt(schema, path, value)
  const accepts = at === undefined ? 'something else' : acceptsOf(at)
  const held = path.reduce<unknown>(memberOf, value)
  if (held === undefined) {
    return { shown: [{ field, message: `${name} is missing; it must be ${accepts}.` }], more: 0 }
  }
  const { bounds, nearest } = at === undefined ? {} : metaOf(at)
  const parts = at === undefined || printValue(held) === '{}' ? [] : [at, ...fieldsOf(at).values()]
  const isSecret = parts.some((each) => metaOf(each).secret === true)
  const got = isSecret ? 'a value that is not shown' : printValue(held)
  const guess = nearest === undefined ? nearestWord(at, held, accepts) : nearest(held)
  const near = guess === null ? '' : `; the nearest is ${JSON.stringify(guess)}`
  const isSaid = (other: unknown) => typeof other === 'string' && accepts.startsWith('a text')
  const isMeant = (other: unknown) => !isSaid(other) && at?.safeParse(other).success === true
  const hint = isSecret ? near : (meantText(held, isMeant) ?? near)
  const message = `${name} must be ${accepts}; got ${got}${hint}.`
  return { shown: [{ field, message, ...(bounds && { assumption: bounds }) }], more: 0 }
}

/** How to write what was likely meant by a value of another type; undefined if nothing was. */
function meantText(held: unknown, isMeant: (other: unknown) => boolean): string | undefined {
  if (held === null) return isMeant(undefined) ? '; leave it out' : undefined
  if (typeof held === 'number' && isMeant(`${held}`)) return `; write "${held}", which is a text`
  const isPlain = typeof held === 'string' && /^(true|false|0|[1-9]\d*)$/.test(held)
  return isPlain && isMeant(JSON.parse(held)) ? `; write ${held} without quotes` : undefined
}

/** Of the words that a schema accepts, if they are more than two, the one that a text likely means; null for none. */
function nearestWord(schema: z.ZodType | undefined, held: unknown, accepts: string): string | null {
  const all = schema === undefined ? [] : [unwrap(schema), ...optionsOf(schema)]
  const [, words = ''] = /^one of (.*)$/.exec(accepts) ?? []
  const enumerated = all.find((each) => each instanceof z.ZodEnum)?.options.map(String)
  const options = enumerated ?? words.split(', ')
  if (typeof held !== 'string' || options.length <= 2) return null
  // An empty text is near every letter.
  return nearestNames(held, options).likely || null
}

/** What a schema accepts, in words: its own, else drawn from its JSON Schema. */
export function acceptsOf(schema: z.ZodType): string {
  const own = metaOf(schema).accepts
  if (own !== undefined) return own
  const names = [...fieldsOf(schema).keys()]
  const options = optionsOf(schema)
  if (options.some((option) => fieldsOf(option).size === 0)) {
    return options.map(acceptsOf).join(', or ')
  }
  if (names.length > 0) return `an object with ${names.join(', ')}`
  const json = z.toJSONSchema(unwrap(schema), { io: 'input', unrepresentable: 'any' })
  const values = json.enum ?? (json.const === undefined ? undefined : [json.const])
  if (values !== undefined) return choiceText(values)
  if (json.type === 'integer' || json.type === 'number') return numberText(json)
  const words = {
    string: 'a string',
    boolean: 'true or false',
    array: 'a list',
    object: 'an object',
  }
  const word = words[json.type as keyof typeof words] ?? 'something else'
  return json.pattern === undefined ? word : `${word} like ${json.pattern}`
}

/** One or two values as JSON; more of them bare, since nobody reads a long row of quotes. */
function choiceText(values: readonly unknown[]): string {
  return values.length > 2
    ? `one of ${values.join(', ')}`
    : values.map((value) => JSON.stringify(value)).join(' or ')
}

function numberText({ type, minimum, maximum }: z.core.JSONSchema.BaseSchema): string {
  const kind = type === 'integer' ? 'an integer' : 'a number'
  const from = minimum === undefined || minimum <= Number.MIN_SAFE_INTEGER ? '' : ` from ${minimum}`
  const to = maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? '' : ` to ${maximum}`
  return `${kind}${from}${to}`
}

function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`
    return text === '' ? String(step) : `${text}.${String(step)}`
  }, '')
}

/** A value that is meant for a union, and how its fields are called in messages. */
interface Held {
  readonly value: unknown
  readonly pathOf: (name: string) => string
}

/** What excludes a field, to follow its name; undefined where no alternative knows the field. */
function exclusionText(schema: z.ZodType, key: string, held: Held): string | undefined {
  const union = unwrap(schema)
  const options = optionsOf(union).filter((option) => fieldsOf(option).has(key))
  if (options.length === 0) return undefined
  if (!(union instanceof z.ZodDiscriminatedUnion)) {
    return besideText(union, options, held) ?? ownText(options, key, held.value)
  }
  const chosen = chosenOption(union, held.value)
  if (chosen !== undefined && options.includes(chosen)) return exclusionText(chosen, key, held)
  const name = union.def.discriminator
  const values = options.flatMap((option) => [...(option._zod.propValues?.[name] ?? [])])
  // An absent discriminator with a default counts as a value.
  const texts = values.flatMap((value) => (value === undefined ? [] : JSON.stringify(value)))
  return `can be given only where ${held.pathOf(name)} is ${texts.join(' or ')}`
}

/** Names the field beside it that no alternative with the field knows. */
function besideText(union: z.ZodType, options: readonly z.ZodType[], held: Held): string | null {
  const known = [...fieldsOf(union).keys()].filter((name) => Object.hasOwn(held.value ?? {}, name))
  const other = known.find((name) => !options.some((option) => fieldsOf(option).has(name)))
  return other === undefined ? null : `cannot be combined with ${held.pathOf(other)}`
}

/** What is wrong with a field that nothing beside it excludes: its value, for which its alternative was given up. */
function ownText([option]: readonly z.ZodType[], key: string, value: unknown): string {
  const field = option && fieldsOf(option).get(key)
  const isRefused = field?.safeParse(memberOf(value, key)).success === false
  if (option === undefined || !isRefused) return 'cannot be given here'
  const message = fieldProblem(option, value, [key]).shown[0]?.message ?? ''
  return message.slice(printName(key).length + 1, -1)
}
