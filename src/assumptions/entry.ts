/**
 * The shape of one assumption: a question that the interface document leaves open, and what the sandbox answers.
 */
import type * as z from 'zod'

/** A question the interface leaves open, answered by the sandbox once and for all. */
export interface FixedAssumption<Slug extends string = string> {
  readonly slug: Slug
  /** The section of the interface document that leaves the question open. */
  readonly section: string
  readonly question: string
  readonly choice: string
}

/** An assumption whose answer a sandbox can change while it runs. */
export interface SettingAssumption<
  Slug extends string = string,
  Schema extends z.ZodType = z.ZodType,
> extends FixedAssumption<Slug> {
  readonly schema: Schema
  readonly fallback: z.output<Schema>
  /** What the setting accepts, in words. */
  readonly options: string
}

/** Declares an assumption that cannot be changed. */
export function fixed<const Slug extends string>(entry: FixedAssumption<Slug>) {
  return entry
}

/** Declares an assumption that is a setting. */
export function setting<const Slug extends string, Schema extends z.ZodType>(
  entry: SettingAssumption<Slug, Schema>,
) {
  return entry
}
