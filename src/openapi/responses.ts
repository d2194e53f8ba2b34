/** Responses in documents: the declared successes, and every refusal that an operation can answer with. */
import type {
  ContentObject,
  HeaderObject,
  HeadersObject,
  ReferenceObject,
  ResponseObject,
  ResponsesObject,
} from 'openapi3-ts/oas31'
import * as z from 'zod'
import type { AssumptionSlug } from '../assumptions/register.ts'
import type { Declaration, ReplyDeclaration, SuccessStatus } from '../surface/operation.ts'
import { mapValues, type SchemaBook } from '../surface/schema-book.ts'
import {
  type Code,
  type CodeEntry,
  codeTable,
  type RefusalStatus,
} from '../wire/common/error-codes.ts'
import type { DocumentBuild, DocumentPlan, HeaderPlan, HeaderPlans } from './common.ts'
import { commonError, type RecordedError, recordedAt } from './errors/examples.ts'
import { type AnsweredCall, answeredCalls, examplesAt } from './examples/call.ts'
import { derivedLinks } from './links.ts'
import { inTableOrder, refusalCodesOf } from './refusal-codes.ts'

/** What the server answers before a request has reached an operation. */
const beforeOperations = [
  'invalid_request',
  'request_timeout',
  'expectation_failed',
  'headers_too_large',
] as const satisfies readonly Code[]

/** What a path that exists is not the place for: no operation answers it. */
const besideOperations = ['not_found', 'method_not_allowed'] as const satisfies readonly Code[]

/** Every response of an operation, by status. Those that operations share word for word become components. */
export function responsesOf(declared: Declaration, build: DocumentBuild): ResponsesObject {
  const responses: Record<string, ResponseObject | ReferenceObject> = {}
  const all = answeredCalls(declared.operationId, build.examples)
  for (const [status, reply] of Object.entries(declared.replies)) {
    const some = declared.sometimes?.[Number(status) as SuccessStatus]
    const shown = all.filter(({ answer }) => String(answer.status) === status)
    const links = reply.links ?? derivedLinks(declared, reply, build.operations)
    responses[status] = replyObject({ ...reply, links, shown, ...(some && { some }) }, build)
  }
  const own = declared.refusalAssumptions ?? {}
  const commonOf = (code: Code) => commonError(code, build.operations)
  const errorOf = (code: Code) => recordedAt(code, declared.operationId)
  for (const [status, codes] of refusalsOf(declared)) {
    const refusal = refusalObject({ statuses: [status], codes, own, errorOf }, build)
    // It reads the same wherever it is answered. Longer lists are those of a single operation.
    const isShared =
      codes.length <= 2 &&
      codes.every((code) => own[code] === undefined && errorOf(code) === commonOf(code))
    const name = codes.join('_or_')
    if (isShared) build.responses.set(name, refusal)
    responses[status] = isShared ? { $ref: `#/components/responses/${name}` } : refusal
  }
  return { ...responses, default: { $ref: '#/components/responses/before_operations' } }
}

/** What the server answers by itself. */
export function beforeOperationsResponse(build: DocumentBuild): ResponseObject {
  const statuses = beforeOperations.map((code) => codeTable[code].status)
  const errorOf = (code: Code) => commonError(code, build.operations)
  const refusal = { statuses, codes: beforeOperations, own: {}, errorOf }
  return refusalObject(refusal, build)
}

/** Every code that can be answered on the surface, in the order of the table. */
export function codesOf({ operations }: DocumentPlan): readonly Code[] {
  const own = operations.flatMap((declared) => [...refusalCodesOf(declared)])
  return inTableOrder([...beforeOperations, ...besideOperations, ...own])
}

/** The codes that an operation can refuse with, by status. */
function refusalsOf(declared: Declaration): [RefusalStatus, Code[]][] {
  const byStatus = new Map<RefusalStatus, Code[]>()
  for (const code of refusalCodesOf(declared)) {
    // The status of `invalid_grant` is a setting, so that a client must reckon with each.
    const statuses =
      code === 'invalid_grant' ? ([400, 401, 403] as const) : [codeTable[code].status]
    for (const status of statuses) byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  return [...byStatus].sort(([one], [other]) => one - other)
}

interface ShownReply extends ReplyDeclaration {
  readonly links: NonNullable<ReplyDeclaration['links']>
  readonly some?: readonly AssumptionSlug[]
  readonly shown: readonly AnsweredCall[]
}

function replyObject(reply: ShownReply, build: DocumentBuild): ResponseObject {
  const { book } = build
  const { description, schema, mediaType = 'application/json', links, shown } = reply
  const { Location: location, ...headers } = headerObjects(reply.headers ?? {}, book)
  const mediaTypes = [mediaType, ...(reply.textTypes ?? [])]
  const content = mediaTypes.map((media) => {
    // A body that is no text is JSON, in whatever media type.
    const own = shown.filter(({ answer }) => (answer.textType ?? mediaType) === media)
    const drawn =
      media === mediaType && schema ? book.toJsonSchema(schema, 'output') : { type: 'string' }
    return [media, { schema: drawn, ...examplesAt(own, ({ answer }) => answer.body ?? undefined) }]
  })
  return {
    description,
    'x-interface': sourcesText([reply.source, ...(reply.assumptions ?? [])]),
    ...sometimesObject(reply.some),
    headers: {
      ...headerReferences(build),
      ...headers,
      ...(location && {
        Location: { ...location, ...examplesAt(shown, ({ answer }) => answer.location) },
      }),
    },
    ...(schema && { content: Object.fromEntries(content) as ContentObject }),
    ...(Object.keys(links).length > 0 && { links: { ...links } }),
  }
}

interface Refusal {
  /** One, or one for each code. */
  readonly statuses: readonly RefusalStatus[]
  readonly codes: readonly Code[]
  /** What the operation says that its refusals rest on, in place of the table. */
  readonly own: NonNullable<Declaration['refusalAssumptions']>
  /** What was answered with a code. */
  readonly errorOf: (code: Code) => RecordedError | undefined
}

function refusalObject(refusal: Refusal, build: DocumentBuild): ResponseObject {
  const { statuses, codes, own, errorOf } = refusal
  const { book, errors, errorSchema } = build
  const { mediaType, source } = errors
  const [status] = statuses as [RefusalStatus]
  const sourceOf = (given: readonly Code[]) => {
    const assumed = given.flatMap((code) => own[code] ?? codeTable[code].assumptions)
    return source ?? (sourcesText(assumed) || 'sandbox')
  }
  const titles = codes.map((code, at) => {
    const said = statuses.length === 1 ? '' : `${statuses[at]} `
    return `${said}\`${code}\`: ${codeTable[code].title}.`
  })
  const examples = codes.flatMap((code) => {
    const found = errorOf(code)
    const shown = { summary: codeTable[code].title, value: found?.body }
    return found === undefined ? [] : [[code, shown] as const]
  })
  const some = codes.flatMap((code) => {
    const { sometimes = [] }: CodeEntry = codeTable[code]
    return source !== undefined || sometimes.length === 0 ? [] : [[code, sourcesText(sometimes)]]
  })
  return {
    description: titles.join(' '),
    'x-interface': sourceOf(codes),
    'x-error-codes': Object.fromEntries(codes.map((code) => [code, sourceOf([code])])),
    ...(some.length === 0 ? {} : { 'x-error-codes-sometimes': Object.fromEntries(some) }),
    headers: { ...headerReferences(build), ...headerObjects(refusalHeaders(status), book) },
    content: {
      [mediaType]: { schema: errorSchema, examples: Object.fromEntries(examples) },
    },
  }
}

/** What some answers rest on, beside what all of them do. */
export function sometimesObject(some: readonly AssumptionSlug[] = []): object {
  return some.length === 0 ? {} : { 'x-interface-sometimes': sourcesText(some) }
}

/** Sections and assumptions, as the header prints them. */
function sourcesText(sources: readonly string[]): string {
  return [...new Set(sources)].sort().join(', ')
}

function headerReferences({ responseHeaders }: DocumentPlan): HeadersObject {
  return mapValues(responseHeaders, (_, name) => ({ $ref: `#/components/headers/${name}` }))
}

/** Headers of an answer. */
export function headerObjects(plans: HeaderPlans, book: SchemaBook): Record<string, HeaderObject> {
  return mapValues(plans, (plan) => {
    const { description, required = true, source, schema } = plan as HeaderPlan
    const drawn = book.toJsonSchema(schema, 'output')
    return { description, required, 'x-interface': source, schema: drawn }
  })
}

function refusalHeaders(status: RefusalStatus): HeaderPlans {
  if (status !== 401) return {}
  const description = 'The scheme to authenticate by.'
  return { 'WWW-Authenticate': { description, schema: z.string(), source: 'error-codes' } }
}
