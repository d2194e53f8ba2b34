/** Customers. Owns who is billed, the payment method, and the balance. */
import * as z from 'zod'
import { Id, Name } from './id.ts'
import { CurrencyCode } from './money.ts'

/** A command may not add to a balance above this. A due item may: what voided invoices had used comes back. */
export const BALANCE_MAX = 1_000_000_000_000_000

/** The person who is billed. `balance` is what we owe the customer; the next invoices use it first. */
export const Customer = z.strictObject({
  customerId: Id,
  name: Name.nullable(),
  email: z.string().min(1).max(254).nullable(),
  currency: CurrencyCode.nullable(),
  paymentMethod: z.enum(['valid', 'none']),
  balance: z.int().min(0),
  /** Balance set by hand, not by an invoice. With it, an audit explains the balance to the cent. */
  balanceGranted: z.int(),
})
export type Customer = z.infer<typeof Customer>
