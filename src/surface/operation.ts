/**
 * Operations: the one declaration of each, from which routing, validation, 405 answers and the OpenAPI documents all
 * come. Owns the shape of a declaration and the types that follow from it; does not serve anything (see router).
 */
import type { Context } from 'hono'
import type * as z from 'zod'
import type { AssumptionSlug } from '../assumptions/register.ts'
import type { Code } from '../wire/errors.ts'

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** How a request body can be written. */
export type Media = 'form' | 'json'

/** The media types of bodies, as headers write them. */
export const mediaTypes = {
  form: 'application/x-www-form-urlencoded',
  json: 'application/json',
} as const satisfies Record<Media, string>

/** The most bytes of a body, unless an operation says otherwise: 1 MiB. (Assumption body-limit) */
export const BODY_LIMIT_BYTES = 1_048_576

/** The most values of a JSON body, unless an operation takes more bytes. */
export const JSON_VALUES_MAX = 10_000

/** How many members one object may have: a check of an object looks at all of them at once. */
export const JSON_MEMBERS_MAX = 10_000

/** The most bytes of one text in JSON, its name too: as many as a pact may have. */
export const JSON_TEXT_MAX_BYTES = 16 * 1024 * 1024

/** How deep arrays and objects may be nested. */
export const JSON_DEPTH_MAX = 32

/** The most fields that one form or query may have. */
export const FORM_FIELDS_MAX = 100

/** Who may call an operation: anybody, the holder of a key or access token, or of a refresh token. */
export type Security = 'none' | 'api_key' | 'refresh_token'

/** The statuses that an operation succeeds with. */
export type SuccessStatus = 200 | 201 | 202 | 204

/** What an operation takes as its body. */
export interface BodyDeclaration {
  /** An object, or a union of objects. A form and a JSON body are both checked by it. */
  readonly schema: z.ZodType
  readonly media: readonly Media[]
  /** Hands over the bytes unparsed, for a worker to read; `schema` is what the worker checks, and the documents show. */
  readonly raw?: true
  /** Whether an empty body is refused; otherwise it reads as no fields at all. */
  readonly required: boolean
  /** How a body of another media type is refused; `unsupported_media_type` by default. */
  readonly foreignMedia?: 'unsupported_media_type' | 'invalid_request'
  /** The most bytes it may have; 1 MiB by default. */
  readonly limitBytes?: number
  /** What taking JSON rests on; nothing where it is documented. */
  readonly jsonSource?: AssumptionSlug
}

/** Another operation that an answer leads to. */
export interface LinkDeclaration {
  readonly operationId: string
  readonly description: string
  readonly parameters?: Readonly<Record<string, string>>
}

/** One way in which an operation succeeds. */
export interface ReplyDeclaration {
  readonly description: string
  /** What the body is; null for none. */
  readonly schema: z.ZodType | null
  /** `application/json` by default. */
  readonly mediaType?: string
  /** How else it can be asked for, as text for people. */
  readonly textTypes?: readonly string[]
  /** The interface section that shows it, or the assumption that it rests on first of all. */
  readonly source: string
  /** What it rests on beyond the interface. */
  readonly assumptions?: readonly AssumptionSlug[]
  readonly headers?: Readonly<
    Record<string, { description: string; schema: z.ZodType; source: string }>
  >
  readonly links?: Readonly<Record<string, LinkDeclaration>>
}

/** All there is to say about one operation. */
export interface Declaration {
  readonly operationId: string
  readonly method: Method
  /** As OpenAPI writes it: `/v1/subscriptions/{subscription_id}/pause`. */
  readonly path: `/${string}`
  /** Whether its path is also served with a slash at the end, for clients that append one. */
  readonly trailingSlash?: true
  /** Whether it only asks, though its method says that it may change something: its question fits no query. */
  readonly isQuestion?: true
  readonly tag: string
  readonly summary: string
  readonly description: string
  /** The interface section that documents it, or the assumption that invents it. */
  readonly source: string
  readonly security: Security
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  /** What becomes of a query parameter without a value; refused by default. */
  readonly emptyQuery?: 'refused' | 'allowed'
  readonly body?: BodyDeclaration
  readonly replies: { readonly [Status in SuccessStatus]?: ReplyDeclaration }
  /** What its state can refuse; what every request can be refused for goes without saying. */
  readonly refusals?: readonly Code[]
  /**
   * How a store that fails can be answered; in both ways, unless it says otherwise: a sandbox may be read when it is first
   * asked for.
   */
  readonly storeFailures?: readonly Extract<Code, 'storage_damaged' | 'storage_unavailable'>[]
  /** What some answers rest on beside what all of them do: whatever they are, or by status. */
  readonly sometimes?: { readonly [Answered in 'any' | SuccessStatus]?: readonly AssumptionSlug[] }
  /** What a refusal rests on here, where that differs from elsewhere. */
  readonly refusalAssumptions?: { readonly [Each in Code]?: readonly AssumptionSlug[] }
}

/** What a schema reads; no fields at all without one. */
type Read<Schema> = Schema extends z.ZodType ? z.output<Schema> : Record<never, never>

/** What a valid call hands to the code that answers it. */
interface Call<Params, Query, Body> {
  readonly params: Read<Params>
  readonly query: Read<Query>
  readonly body: Body extends { raw: true }
    ? Uint8Array
    : Read<Body extends { schema: infer Schema } ? Schema : undefined>
  readonly c: Context
}

/** A checked call whose types have been forgotten. */
export type RawCall = Record<'params' | 'query' | 'body', unknown> & Pick<Call<0, 0, 0>, 'c'>

/** A status, a body, and the headers that belong to them. */
export interface Reply<Status extends number, Body> {
  readonly status: Status
  readonly body: Body
  readonly headers?: Readonly<Record<string, string>>
}

type BodyOf<Declared> = Declared extends { schema: infer Schema extends z.ZodType }
  ? z.input<Schema>
  : null

/** What may answer a call: one of the declared replies, or a response made by hand, such as a stream. */
type Answer<Replies> =
  | { [Status in keyof Replies & number]: Reply<Status, BodyOf<Replies[Status]>> }[keyof Replies &
      number]
  | Response

/** An operation together with the code that answers it, once a request has passed every check. */
export interface Route extends Declaration {
  readonly answer: (
    call: RawCall,
  ) => Reply<number, unknown> | Response | Promise<Reply<number, unknown> | Response>
}

/** Declares an operation. Throws where its path and its path parameters disagree. */
export function operation<const Declared extends Declaration>(declared: Declared): Declared {
  const inPath = pathParametersOf(declared.path)
  const inSchema = Object.keys(declared.params?.shape ?? {})
  if (inPath.join() !== inSchema.join()) {
    throw new Error(`${declared.operationId} has ${inPath} in its path but declares ${inSchema}`)
  }
  return declared
}

/** Declares an operation together with the code that answers it. */
export function route<
  const Replies extends Declaration['replies'],
  const Params extends z.ZodObject | undefined = undefined,
  const Query extends z.ZodObject | undefined = undefined,
  const Body extends BodyDeclaration | undefined = undefined,
>(
  declared: Omit<Declaration, 'params' | 'query' | 'body' | 'replies'> & {
    readonly params?: Params
    readonly query?: Query
    readonly body?: Body
    readonly replies: Replies
    readonly answer: (call: Call<Params, Query, Body>) => Answer<Replies> | Promise<Answer<Replies>>
  },
): Route {
  // The router parses every call with the schemas of the same declaration, which is what makes the cast true.
  return operation(declared as Declaration & Pick<Route, 'answer'>)
}

/** 200 with a body. */
export function ok<Body>(body: Body): Reply<200, Body> {
  return { status: 200, body }
}

/** 201 with a body and where the new thing is found. */
export function created<Body>(location: string, body: Body): Reply<201, Body> {
  return { status: 201, body, headers: { Location: location } }
}

/** 204, without a body. */
export function noContent(): Reply<204, null> {
  return { status: 204, body: null }
}

/** The names between braces in a path, in their order. */
function pathParametersOf(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '')
}
