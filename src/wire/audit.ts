/** Audits on the wire: which promises were checked, over how many records, and what breaks them. */
import * as z from 'zod'
import { strictObject } from 'zod'
import { type Invariant, invariants } from '../billing/audit.ts'

const names = Object.keys(invariants) as [Invariant, ...Invariant[]]
const InvariantName = z.enum(names)

export const WireAudit = strictObject({
  ok: z.boolean().describe('Whether every promise holds.'),
  checked: z.record(z.string(), z.int().min(0)).describe('How many records were checked, by kind.'),
  invariants: z
    .array(
      strictObject({
        invariant: InvariantName.describe('Its name.'),
        promise: z.string().describe('What it promises.'),
      }),
    )
    .describe('Every promise that was checked.'),
  violations: z
    .array(
      strictObject({
        invariant: InvariantName.describe('The promise that is broken.'),
        id: z.string().describe('The record that breaks it.'),
        message: z.string().describe('How.'),
      }),
    )
    .describe('Every violation; empty where there is none.'),
}).meta({ id: 'Audit', description: 'Whether the books are in order.', source: 'sandbox' })
export type WireAudit = z.input<typeof WireAudit>
