/**
 * Exclusion: why a field that one alternative of a union knows cannot be given beside the other fields of a value. Owns
 * that sentence alone; a field that no alternative knows is unknown, and is worded in field-errors.
 */
import * as z from 'zod'
import { chosenOption, fieldsOf, optionsOf, unwrap } from '../../surface/schema-walk.ts'

/** A value that is meant for a union, and how its fields are called in messages. */
export interface Held {
  readonly value: unknown
  readonly pathOf: (name: string) => string
}

/** What excludes a field, to follow its name; undefined where no alternative knows the field. */
export function exclusionText(schema: z.ZodType, key: string, held: Held): string | undefined {
  const union = unwrap(schema)
  const options = optionsOf(union).filter((option) => fieldsOf(option).has(key))
  if (options.length === 0) return undefined
  if (!(union instanceof z.ZodDiscriminatedUnion)) return besideText(union, options, held)
  const chosen = chosenOption(union, held.value)
  if (chosen !== undefined && options.includes(chosen)) return exclusionText(chosen, key, held)
  const name = union.def.discriminator
  const values = options.flatMap((option) => [...(option._zod.propValues?.[name] ?? [])])
  // An absent discriminator with a default counts as a value.
  const texts = values.flatMap((value) => (value === undefined ? [] : JSON.stringify(value)))
  return `can be given only where ${held.pathOf(name)} is ${texts.join(' or ')}`
}

/** Names the field beside it that no alternative with the field knows. */
function besideText(union: z.ZodType, options: readonly z.ZodType[], held: Held): string {
  const known = [...fieldsOf(union).keys()].filter((name) => Object.hasOwn(held.value ?? {}, name))
  const other = known.find((name) => !options.some((option) => fieldsOf(option).has(name)))
  return other === undefined
    ? 'cannot be given here'
    : `cannot be combined with ${held.pathOf(other)}`
}
