/** What the documents of all surfaces have in common. */
import type { LicenseObject } from 'openapi3-ts/oas31'
import * as z from 'zod'
import { InstantOut } from '../wire/fields.ts'
import type { HeaderPlans } from './plan.ts'

/** The licence of the product. */
export const license: LicenseObject = { name: 'MIT', identifier: 'MIT' }

/** What the sandbox adds: a client of the service must do without it. */
export const ofSandbox = { source: 'sandbox', required: false } as const

/** Where the sandbox listens unless told otherwise; a served document names the address that it was asked at instead. */
export const USUAL_ADDRESS = 'http://localhost:4010'

/** The headers that every answer carries. */
export const sandboxHeaders: HeaderPlans = {
  'Request-Id': {
    description: 'Identifies the request in the log, the journal and the events.',
    schema: z.string().meta({ examples: ['req_000001'] }),
    ...ofSandbox,
  },
  'Sandbox-Id': {
    description: 'The sandbox that answered.',
    schema: z.string().meta({ examples: ['default'] }),
    ...ofSandbox,
  },
  'Sandbox-Time': {
    description: 'The virtual now of that sandbox.',
    schema: InstantOut,
    ...ofSandbox,
  },
  'Sandbox-Warnings': {
    description:
      'What surprises people about this answer: sentences by assumption, as a dictionary of RFC 8941. Absent for most.',
    schema: z.string().meta({
      examples: [
        'open-invoices-on-cancellation="The open invoices of the subscription are void: the customer no longer owes them."',
      ],
    }),
    ...ofSandbox,
  },
  'Sandbox-Version': {
    description: 'The version of the product.',
    schema: z.string().meta({ examples: ['0.1.0'] }),
    ...ofSandbox,
  },
}
