/**
 * Operations: the one declaration of each, from which routing, validation, 405 answers and the OpenAPI documents are
 * derived. Owns the shape of a declaration and its types; does not serve anything (see router).
 */
import type { Context } from 'hono'
import type * as z from 'zod'
import type { AssumptionSlug } from '../assumptions/register.ts'
import type { Code } from '../wire/common/error-codes.ts'

export type Media = 'form' | 'json'

export const mediaTypes = {
  form: 'application/x-www-form-urlencoded',
  json: 'application/json',
} as const satisfies Record<Media, string>

/** The most bytes of a body, unless an operation sets another limit: 1 MiB. (Assumption body-limit) */
export const BODY_LIMIT_BYTES = 1_048_576

/** The most values of a JSON body, unless an operation sets a larger body limit. */
export const JSON_VALUES_MAX = 10_000

/** The most members of one object: a check of an object reads all of them at once. */
export const JSON_MEMBERS_MAX = 10_000

/** The most bytes of one text or name in JSON: as many as a pact may have. */
export const JSON_TEXT_MAX_BYTES = 16 * 1024 * 1024

export const JSON_DEPTH_MAX = 32

export const FORM_FIELDS_MAX = 100

/** Who may call an operation: any client, the holder of a key or access token, or of a refresh token. */
export type Security = 'none' | 'api_key' | 'refresh_token'

export type SuccessStatus = 200 | 201 | 202 | 204

export interface BodyDeclaration {
  /** An object, or a union of objects. It validates both a form and a JSON body. */
  readonly schema: z.ZodType
  readonly media: readonly Media[]
  /** Passes the bytes unparsed to a worker; the worker validates with `schema`, and the documents show it. */
  readonly raw?: true
  /** Whether an empty body is refused; if not, it has no fields. */
  readonly required: boolean
  /** The refusal of a body with another media type; `unsupported_media_type` by default. */
  readonly foreignMedia?: 'unsupported_media_type' | 'invalid_request'
  /** The most bytes; 1 MiB by default. */
  readonly limitBytes?: number
  /** The assumption that allows JSON; absent if JSON is documented. */
  readonly jsonSource?: AssumptionSlug
}

/** Another operation that a client can call after an answer. */
export interface LinkDeclaration {
  readonly operationId: string
  readonly description: string
  readonly parameters?: Readonly<Record<string, string>>
}

/** One successful reply of an operation. */
export interface ReplyDeclaration {
  readonly description: string
  readonly schema: z.ZodType | null
  /** `application/json` by default. */
  readonly mediaType?: string
  /** The alternative text formats. */
  readonly textTypes?: readonly string[]
  /** The interface section that documents it, or the first assumption that it uses. */
  readonly source: string
  /** The other assumptions that it uses. */
  readonly assumptions?: readonly AssumptionSlug[]
  readonly headers?: Readonly<
    Record<string, { description: string; schema: z.ZodType; source: string }>
  >
  readonly links?: Readonly<Record<string, LinkDeclaration>>
}

export interface Declaration {
  readonly operationId: string
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  /** In the form of OpenAPI: `/v1/subscriptions/{subscription_id}/pause`. */
  readonly path: `/${string}`
  /** Whether its path is also served with a trailing slash, for clients that append one. */
  readonly trailingSlash?: true
  /** Whether it only reads, despite its method: its parameters fit no query. */
  readonly isQuestion?: true
  readonly tag: string
  readonly summary: string
  readonly description: string
  /** The interface section that documents it, or the assumption that adds it. */
  readonly source: string
  readonly security: Security
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  /** Whether a query parameter without a value is refused, as by default. */
  readonly emptyQuery?: 'refused' | 'allowed'
  readonly body?: BodyDeclaration
  readonly replies: { readonly [Status in SuccessStatus]?: ReplyDeclaration }
  /** The refusals because of the state; those of every request are not listed. */
  readonly refusals?: readonly Code[]
  /** The refusals when the store fails: both by default, since a request may be the first to read its sandbox. */
  readonly storeFailures?: readonly Extract<Code, 'storage_damaged' | 'storage_unavailable'>[]
  /** Assumptions that only some answers use: of any status, or by status. */
  readonly sometimes?: { readonly [Answered in 'any' | SuccessStatus]?: readonly AssumptionSlug[] }
  /** The assumptions of a refusal, if they differ from those of other operations. */
  readonly refusalAssumptions?: { readonly [Each in Code]?: readonly AssumptionSlug[] }
}

/** The parsed value of a schema; without one, no fields. */
export type Read<Schema> = Schema extends z.ZodType ? z.output<Schema> : Record<never, never>

/** A declaration whose schemas keep their types. */
export type Declared<Params, Query, Body, Replies> = Omit<
  Declaration,
  'params' | 'query' | 'body' | 'replies'
> & {
  readonly params?: Params
  readonly query?: Query
  readonly body?: Body
  readonly replies: Replies
}

/** The schema of path parameters or of a query, where there is one. */
export type FieldSchema = z.ZodObject | undefined

interface Call<Params, Query, Body> {
  readonly params: Read<Params>
  readonly query: Read<Query>
  readonly body: Body extends { raw: true }
    ? Uint8Array
    : Read<Body extends { schema: infer Schema } ? Schema : undefined>
  readonly c: Context
}

/** A validated call without its types. */
export type UntypedCall = Record<'params' | 'query' | 'body', unknown> & Pick<Call<0, 0, 0>, 'c'>

/** A status, a body and its headers. */
export interface Reply<Status extends number, Body> {
  readonly status: Status
  readonly body: Body
  readonly headers?: Readonly<Record<string, string>>
}

/** The body of a declared reply, by status. */
export type BodyOf<
  Replies,
  Status extends keyof Replies = keyof Replies,
> = Replies[Status] extends { schema: infer Schema extends z.ZodType } ? z.input<Schema> : null

/** One of the declared replies, or a response built by the operation, such as a stream. */
type Answer<Replies> =
  | { [Status in keyof Replies & number]: Reply<Status, BodyOf<Replies, Status>> }[keyof Replies &
      number]
  | Response

/** An operation with the code that answers its valid requests. */
export interface Route extends Declaration {
  readonly answer: (
    call: UntypedCall,
  ) => Reply<number, unknown> | Response | Promise<Reply<number, unknown> | Response>
}

/** Declares an operation. Throws if its path and its path parameters disagree. */
export function operation<const Own extends Declaration>(declared: Own): Own {
  const inPath = pathParametersOf(declared.path)
  const inSchema = Object.keys(declared.params?.shape ?? {})
  if (inPath.join() !== inSchema.join()) {
    throw new Error(`${declared.operationId} has ${inPath} in its path but declares ${inSchema}`)
  }
  return declared
}

/** Declares an operation with the code that answers it. */
export function route<
  const Replies extends Declaration['replies'],
  const Params extends FieldSchema = undefined,
  const Query extends FieldSchema = undefined,
  const Body extends BodyDeclaration | undefined = undefined,
>(
  declared: Declared<Params, Query, Body, Replies> & {
    readonly answer: (call: Call<Params, Query, Body>) => Answer<Replies> | Promise<Answer<Replies>>
  },
): Route {
  // `read-call` parses every call with the schemas of the same declaration, so the cast is safe.
  return operation(declared as Declaration & Pick<Route, 'answer'>)
}

/** 200 with a body. */
export function ok<Body>(body: Body): Reply<200, Body> {
  return { status: 200, body }
}

/** 201 with a body and the path of the new record. */
export function created<Body>(location: string, body: Body): Reply<201, Body> {
  return { status: 201, body, headers: { Location: location } }
}

/** 204, without a body. */
export function noContent(): Reply<204, null> {
  return { status: 204, body: null }
}

/** The names between braces in a path, in their order. */
export function pathParametersOf(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '')
}
