/** Customers. Owns who is billed, by what means, and what we owe them. */
import * as z from 'zod'
import { Currency } from './money.ts'

/** Who is billed. `balance` is what we owe the customer; the next invoices use it first. */
export const Customer = z.strictObject({
  customerId: z.string(),
  name: z.string().nullable(),
  email: z.string().nullable(),
  currency: Currency.nullable(),
  paymentMethod: z.enum(['valid', 'none']),
  balance: z.int().min(0),
  /** Balance given by hand rather than by an invoice; it lets an audit explain the balance to the cent. */
  balanceGranted: z.int(),
})
export type Customer = z.infer<typeof Customer>
