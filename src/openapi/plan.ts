/** Plans: what a document says that no declaration does. Each surface has one. */
import type { InfoObject, SecuritySchemeObject, TagObject } from 'openapi3-ts/oas31'
import type * as z from 'zod'
import type { Declaration, Security } from '../surface/operation.ts'
import type { Code, RefusalStatus } from '../wire/errors.ts'
import type { Examples } from './examples/shown.ts'

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
  /** The calls that it shows, and their answers. */
  readonly examples: Examples
  /** What errors look like: one schema for all, and a body for each code. */
  readonly errors: {
    readonly mediaType: string
    readonly schema: (codes: readonly Code[]) => z.ZodType
    readonly example: (code: Code, status: RefusalStatus) => unknown
    /** What every error rests on, where that does not depend on its code. */
    readonly source?: string
  }
}
