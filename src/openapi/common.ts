/** What the documents of all surfaces have in common; and plans: what one says that no declaration does. */
import type {
  InfoObject,
  LicenseObject,
  PathItemObject,
  ResponseObject,
  SchemaObject,
  SecuritySchemeObject,
  TagObject,
} from 'openapi3-ts/oas31'
import * as z from 'zod'
import type { Declaration, Security } from '../surface/operation.ts'
import type { SchemaBook } from '../surface/schema-book.ts'
import { VERSION } from '../version.ts'
import type { Code } from '../wire/common/error-codes.ts'
import { InstantOut } from '../wire/common/fields.ts'
import type { Examples } from './examples/call.ts'

/** The licence of the product. */
export const license: LicenseObject = { name: 'MIT', identifier: 'MIT' }

/** Where the sandbox listens unless told otherwise; a served document names the address that it was asked at instead. */
export const USUAL_ADDRESS = 'http://localhost:4010'

/** A header that the sandbox adds, by its schema or an example: a client of the service must do without it. */
export function sandboxHeader(description: string, shape: z.ZodType | string): HeaderPlan {
  const schema = typeof shape === 'string' ? z.string().meta({ examples: [shape] }) : shape
  return { description, schema, source: 'sandbox', required: false }
}

/** The headers that every answer carries. */
export const sandboxHeaders: HeaderPlans = {
  'Request-Id': sandboxHeader(
    'Identifies the request in the log, the journal and the events.',
    'req_000001',
  ),
  'Sandbox-Id': sandboxHeader('The sandbox that answered.', 'default'),
  'Sandbox-Time': sandboxHeader('The virtual now of that sandbox.', InstantOut),
  'Sandbox-Warnings': sandboxHeader(
    'What surprises people about this answer: sentences by assumption, as a dictionary of RFC 8941. Absent for most.',
    'open-invoices-on-cancellation="The open invoices of the subscription are void: the customer no longer owes them."',
  ),
  'Sandbox-Version': sandboxHeader('The version of the product.', VERSION),
}

/** A header that answers or requests carry. */
export interface HeaderPlan {
  readonly description: string
  readonly schema: z.ZodType
  /** What it rests on: a section of the interface, an assumption, or `sandbox`. */
  readonly source: string
  /** Whether it is always there; true by default. */
  readonly required?: boolean
}

/** Headers by name. */
export type HeaderPlans = Readonly<Record<string, HeaderPlan>>

/** A document that is being drawn: its plan, the schemas so far, that of errors, and the responses that operations share. */
export interface DocumentBuild extends DocumentPlan {
  readonly book: SchemaBook
  readonly errorSchema: SchemaObject
  readonly responses: Map<string, ResponseObject>
}

/** Everything a document says that no declaration does. */
export interface DocumentPlan {
  readonly operations: readonly Declaration[]
  readonly info: InfoObject
  readonly tags: TagObject[]
  /** What every answer carries. */
  readonly responseHeaders: HeaderPlans
  /** What every request may carry. */
  readonly requestHeaders: HeaderPlans
  readonly securitySchemes: Readonly<Record<string, SecuritySchemeObject>>
  /** Which scheme each kind of operation asks for; absent where it asks for none. */
  readonly security: { readonly [Each in Security]?: string }
  /** The scheme that every operation asks for where the server was started so. */
  readonly mayAskFor?: string
  /** What the server calls, by name. */
  readonly webhooks?: (book: SchemaBook) => Record<string, PathItemObject>
  /** The calls that it shows, and their answers. */
  readonly examples: Examples
  /** An example of some schemas, by name. */
  readonly schemaExamples?: Readonly<Record<string, unknown>>
  /** What errors look like: one schema for all. */
  readonly errors: {
    readonly mediaType: string
    readonly schema: (codes: readonly Code[]) => z.ZodType
    /** What every error rests on, where that does not depend on its code. */
    readonly source?: string
  }
}
