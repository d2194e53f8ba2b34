/** Rules over the fields of one record that go together. */

interface Payload {
  readonly issues: readonly unknown[]
}

/**
 * The second argument of a `refine` over a record: what is wrong where it does not hold. It is asked only where every
 * field is right by itself, since it computes with them: an amount or an instant out of its bounds would make it throw.
 */
export function rule(error: string) {
  return { error, when: ({ issues }: Payload) => issues.length === 0 }
}
