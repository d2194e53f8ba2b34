/** Plans: what a document says that no declaration does. Each surface has one. */
import type { InfoObject, SecuritySchemeObject, TagObject } from 'openapi3-ts/oas31'
import type * as z from 'zod'
import type { Declaration, Security } from '../surface/operation.ts'
import type { Code } from '../wire/errors.ts'

/** A header that answers or requests carry. */
export interface HeaderPlan {
  readonly description: string
  readonly schema: z.ZodType
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
  /** What errors look like for some codes. */
  readonly errors: {
    readonly mediaType: string
    readonly schema: (codes: readonly [Code, ...Code[]]) => z.ZodType
  }
}
