/** Identifiers: how every record that callers may name is called. */
import * as z from 'zod'

/** What stands in an address and in a request as it is: 1 to 64 characters, beginning with a letter or digit. */
export const Id = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_.:-]{0,63}$/)

/** The id of a record that is numbered: `sub_000001`. */
export function numberedId(prefix: string, number: number): string {
  return `${prefix}${String(number).padStart(6, '0')}`
}
