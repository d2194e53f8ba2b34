/** Sequences: the newest number given out for each kind of counted id. */
import * as z from 'zod'

const Count = z.int().min(0)

export const Sequences = z.strictObject({
  products: Count,
  plans: Count,
  customers: Count,
  subscriptions: Count,
  invoices: Count,
  charges: Count,
  families: Count,
  events: Count,
})
export type Sequences = z.infer<typeof Sequences>
