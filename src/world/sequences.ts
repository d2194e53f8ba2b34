/** Sequences: the newest number for each kind of counted id. */
import * as z from 'zod'
import { COUNT_MAX } from '../billing/money.ts'

/** A counted number; 0 before the first. */
export const Count = z.int().min(0).max(COUNT_MAX)

export const Sequences = z.strictObject({
  products: Count,
  plans: Count,
  customers: Count,
  subscriptions: Count,
  invoices: Count,
  charges: Count,
  tokenFamilies: Count,
  faults: Count,
  events: Count,
})
export type Sequences = z.infer<typeof Sequences>

export function noSequences(): Sequences {
  return Object.fromEntries(Object.keys(Sequences.shape).map((kind) => [kind, 0])) as Sequences
}
