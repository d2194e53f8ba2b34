/**
 * The shape of one assumption: a question that the interface document leaves open, and what the sandbox answers.
 */
import type * as z from 'zod'

/** What a sandbox can change an answer to while it runs: in words, as a schema, and where it starts. */
export interface SettingTerms<Schema extends z.ZodType = z.ZodType> {
  readonly options: string
  readonly schema: Schema
  readonly fallback: z.output<Schema>
  /** What a sandbox goes by whose setting `vary` names this. */
  readonly varied: z.output<Schema>
}

/** An answer that is no setting of its own, and what the service could as well do. */
export interface Variation {
  readonly otherwise: string
}

/** Assumptions by slug. `section` is that of the interface document which leaves the question open. */
export type AssumptionRows = Readonly<
  Record<
    string,
    readonly [section: string, question: string, choice: string, (SettingTerms | Variation)?]
  >
>

/** An answer that can be changed, where it starts, and another one that is as good. */
export function setting<Schema extends z.ZodType>(
  options: string,
  schema: Schema,
  [fallback, varied]: readonly [z.output<Schema>, z.output<Schema>],
): SettingTerms<Schema> {
  return { options, schema, fallback, varied }
}

/** What the service could as well do, for a sandbox whose setting `vary` names this. */
export function otherwise(text: string): Variation {
  return { otherwise: text }
}

/** An answer that is one of some words, at first the first of them. */
export function oneOf<Words extends Record<string, string>>(
  schema: z.ZodEnum<Words>,
): SettingTerms<z.ZodEnum<Words>> {
  const [first, second] = schema.options as Words[keyof Words][]
  if (first === undefined || second === undefined) throw new Error('There is only one option')
  return setting(schema.options.join(', '), schema, [first, second])
}
