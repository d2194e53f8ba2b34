/**
 * The shape of one assumption: a question that the interface document leaves open, and what the sandbox answers.
 */
import type * as z from 'zod'

/** What a sandbox can change an answer to while it runs: in words, as a schema, and where it starts. */
interface SettingTerms<Schema extends z.ZodType = z.ZodType> {
  readonly options: string
  readonly schema: Schema
  readonly fallback: z.output<Schema>
}

/** Assumptions by slug. `section` is that of the interface document which leaves the question open. */
export type AssumptionRows = Readonly<
  Record<string, readonly [section: string, question: string, choice: string, SettingTerms?]>
>

/** An answer that can be changed. */
export function setting<Schema extends z.ZodType>(
  options: string,
  schema: Schema,
  fallback: z.output<Schema>,
): SettingTerms<Schema> {
  return { options, schema, fallback }
}

/** An answer that is one of some words, at first the first of them. */
export function oneOf<Words extends Record<string, string>>(
  schema: z.ZodEnum<Words>,
): SettingTerms<z.ZodEnum<Words>> {
  const [first] = schema.options
  return setting(schema.options.join(', '), schema, first as Words[keyof Words])
}
