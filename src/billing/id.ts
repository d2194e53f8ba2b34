/** Identifiers of all records that callers may name. */
import * as z from 'zod'

/** A text that needs no escaping in a URL: 1 to 64 characters, beginning with a letter or digit. */
export const Id = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_.:-]{0,63}$/)

/** A name for people, such as that of a plan. */
export const Name = z.string().min(1).max(200)

/** The id of a numbered record: `sub_000001`. */
export function numberedId(prefix: string, number: number): string {
  return `${prefix}${String(number).padStart(6, '0')}`
}
