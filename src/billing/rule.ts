/** The errors of rules over several fields of one record. */

interface Payload {
  readonly issues: readonly unknown[]
}

/**
 * The second argument of a `refine` over a record, with the error message. The rule runs only if every field is valid,
 * since it computes with them: an amount or an instant out of its bounds would make it throw.
 */
export function rule(error: string) {
  return { error, when: ({ issues }: Payload) => issues.length === 0 }
}
