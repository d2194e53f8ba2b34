/** Audits on the wire: which promises were checked, over how many records, and what breaks them. */
import * as z from 'zod'
import { type Invariant, invariants } from '../billing/audit.ts'

const names = Object.keys(invariants) as [Invariant, ...Invariant[]]
const InvariantName = z.enum(names)

export const WireAudit = z
  .strictObject({
    ok: z.boolean().meta({ description: 'Whether every promise holds.' }),
    checked: z
      .record(z.string(), z.int().min(0))
      .meta({ description: 'How many records were checked, by kind.' }),
    invariants: z
      .array(
        z.strictObject({
          invariant: InvariantName.meta({ description: 'Its name.' }),
          promise: z.string().meta({ description: 'What it promises.' }),
        }),
      )
      .meta({ description: 'Every promise that was checked.' }),
    violations: z
      .array(
        z.strictObject({
          invariant: InvariantName.meta({ description: 'The promise that is broken.' }),
          id: z.string().meta({ description: 'The record that breaks it.' }),
          message: z.string().meta({ description: 'How.' }),
        }),
      )
      .meta({ description: 'Every violation; empty where there is none.' }),
  })
  .meta({ id: 'Audit', description: 'Whether the books are in order.', source: 'sandbox' })
export type WireAudit = z.input<typeof WireAudit>
