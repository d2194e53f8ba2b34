/** The shape of one assumption: a question that the interface document leaves open, and the sandbox's answer. */
import type * as z from 'zod'

/** The settings of an assumption: in words, as a schema, and the initial value. */
export interface SettingEntry<Schema extends z.ZodType = z.ZodType> {
  readonly options: string
  readonly schema: Schema
  readonly fallback: z.output<Schema>
  /** The value if the setting `vary` names this assumption. */
  readonly varied: z.output<Schema>
  /** The meaning of other values than the initial one; null where the words say it. */
  readonly otherwise: string | null
}

/** An answer without a setting, and its alternative, for a sandbox whose setting `vary` names it. */
export interface Variation {
  readonly otherwise: string
}

/** Assumptions by slug. `section` is the section of the interface document that leaves the question open. */
export type AssumptionRows = Readonly<
  Record<
    string,
    readonly [section: string, question: string, choice: string, (SettingEntry | Variation)?]
  >
>

/** An answer that can be changed, its initial value, an alternative, and the meaning of other values. */
export function setting<Schema extends z.ZodType>(
  options: string,
  schema: Schema,
  [fallback, varied, otherwise]: readonly [z.output<Schema>, z.output<Schema>, string?],
): SettingEntry<Schema> {
  return { options, schema, fallback, varied, otherwise: otherwise ?? null }
}

/** A setting with one of some words as its value; the first is the initial one. */
export function oneOf<Words extends Record<string, string>>(
  schema: z.ZodEnum<Words>,
  ...otherwise: readonly [string?]
): SettingEntry<z.ZodEnum<Words>> {
  const [first, second] = schema.options as Words[keyof Words][]
  if (first === undefined || second === undefined) throw new Error('There is only one option')
  return setting(schema.options.join(', '), schema, [first, second, ...otherwise])
}
