/** Customers. Owns who is billed, by what means, and what we owe them. */
import * as z from 'zod'
import { Id } from './id.ts'
import { CurrencyCode } from './money.ts'

/**
 * The most that we may owe a customer for a command to add to it. What is due by itself adds only what was taken from
 * the balance before, so twice as much is never reached.
 */
export const BALANCE_MAX = 1_000_000_000_000_000

/** Who is billed. `balance` is what we owe the customer; the next invoices use it first. */
export const Customer = z.strictObject({
  customerId: Id,
  name: z.string().nullable(),
  email: z.string().nullable(),
  currency: CurrencyCode.nullable(),
  paymentMethod: z.enum(['valid', 'none']),
  balance: z
    .int()
    .min(0)
    .max(2 * BALANCE_MAX),
  /** Balance given by hand rather than by an invoice; it lets an audit explain the balance to the cent. */
  balanceGranted: z.int(),
})
export type Customer = z.infer<typeof Customer>
