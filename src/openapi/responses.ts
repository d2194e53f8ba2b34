/** Responses in documents: the declared successes, and every refusal that an operation can answer with. */
import type {
  ContentObject,
  HeaderObject,
  HeadersObject,
  LinkObject,
  ReferenceObject,
  ResponseObject,
  ResponsesObject,
} from 'openapi3-ts/oas31'
import * as z from 'zod'
import type { Declaration, LinkDeclaration, ReplyDeclaration } from '../surface/operation.ts'
import type { SchemaBook } from '../surface/schema-book.ts'
import { type Code, codeTable, type RefusalStatus } from '../wire/errors.ts'
import type { DocumentPlan, HeaderPlans } from './plan.ts'

/** Every response of an operation, by status. */
export function responsesOf(
  declared: Declaration,
  plan: DocumentPlan,
  book: SchemaBook,
): ResponsesObject {
  const responses: Record<string, ResponseObject | ReferenceObject> = {}
  for (const [status, reply] of Object.entries(declared.replies)) {
    responses[status] = replyObject(reply, plan, book)
  }
  for (const [status, codes] of refusalsOf(declared)) {
    const [only, another] = codes
    responses[status] =
      another === undefined
        ? { $ref: `#/components/responses/${only}` }
        : refusalObject({ status, codes, own: declared.refusalAssumptions ?? {} }, plan, book)
  }
  return responses
}

/** The refusals that several operations share word for word: those of a status with one code only, by code. */
export function sharedRefusals(
  plan: DocumentPlan,
  book: SchemaBook,
): Record<string, ResponseObject> {
  const single = plan.operations.flatMap(refusalsOf).filter(([, codes]) => codes.length === 1)
  const responses = new Map<string, ResponseObject>()
  for (const [status, codes] of single) {
    responses.set(codes[0], refusalObject({ status, codes, own: {} }, plan, book))
  }
  return Object.fromEntries(responses)
}

/** The codes that an operation can refuse with, by status. */
function refusalsOf(declared: Declaration): [RefusalStatus, [Code, ...Code[]]][] {
  const codes = new Set<Code>(['invalid_request'])
  if (declared.security !== 'none') codes.add('unauthorized')
  for (const code of declared.refusals ?? []) codes.add(code)
  codes.add('method_not_allowed')
  const takesBody = declared.method !== 'get' && declared.method !== 'delete'
  if (takesBody) codes.add('payload_too_large')
  const foreignMedia = declared.body?.foreignMedia ?? 'unsupported_media_type'
  if (takesBody) codes.add(foreignMedia)
  codes.add('internal').add('storage_damaged')
  if (declared.method !== 'get') codes.add('storage_unavailable')
  const byStatus = new Map<RefusalStatus, Set<Code>>()
  for (const code of codes) {
    for (const status of statusesOf(code)) {
      byStatus.set(status, (byStatus.get(status) ?? new Set()).add(code))
    }
  }
  return [...byStatus]
    .sort(([one], [other]) => one - other)
    .map(([status, found]) => [status, [...found] as [Code, ...Code[]]])
}

/** The status of `invalid_grant` is a setting, so that a client must reckon with each. */
function statusesOf(code: Code): readonly RefusalStatus[] {
  return code === 'invalid_grant' ? [400, 401, 403] : [codeTable[code].status]
}

function replyObject(
  reply: ReplyDeclaration,
  plan: DocumentPlan,
  book: SchemaBook,
): ResponseObject {
  const { description, schema, mediaType = 'application/json', examples, links } = reply
  const content = schema && {
    [mediaType]: {
      schema: book.draw(schema, 'output'),
      ...(examples === undefined ? {} : { examples }),
    },
  }
  return {
    description,
    'x-interface': reply.source,
    headers: { ...headerReferences(plan), ...headerObjects(reply.headers ?? {}, book) },
    ...(content === null ? {} : { content: content as ContentObject }),
    ...(links === undefined ? {} : { links: linkObjects(links) }),
  }
}

interface Refusal {
  readonly status: RefusalStatus
  readonly codes: readonly [Code, ...Code[]]
  /** What the operation says that its refusals rest on, in place of the table. */
  readonly own: NonNullable<Declaration['refusalAssumptions']>
}

function refusalObject(refusal: Refusal, plan: DocumentPlan, book: SchemaBook): ResponseObject {
  const { status, codes, own } = refusal
  const titles = codes.map((code) => `\`${code}\`: ${codeTable[code].title}.`)
  const schema = book.draw(plan.errors.schema(codes), 'output')
  const sources = new Set(codes.flatMap((code) => own[code] ?? codeTable[code].assumptions))
  return {
    description: titles.join(' '),
    'x-interface': [...sources].join(', ') || '7',
    headers: { ...headerReferences(plan), ...headerObjects(refusalHeaders(status), book) },
    content: { [plan.errors.mediaType]: { schema } },
  }
}

function headerReferences(plan: DocumentPlan): HeadersObject {
  return Object.fromEntries(
    Object.keys(plan.responseHeaders).map((name) => [
      name,
      { $ref: `#/components/headers/${name}` } satisfies ReferenceObject,
    ]),
  )
}

/** Headers of an answer. */
export function headerObjects(
  headers: HeaderPlans,
  book: SchemaBook,
): Record<string, HeaderObject> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, { description, required = true, schema }]) => [
      name,
      { description, required, schema: book.draw(schema, 'output') },
    ]),
  )
}

function refusalHeaders(status: RefusalStatus): HeaderPlans {
  const schema = z.string()
  if (status === 401) {
    return { 'WWW-Authenticate': { description: 'The scheme to authenticate by.', schema } }
  }
  return status === 405
    ? { Allow: { description: 'The methods that the path takes.', schema } }
    : {}
}

function linkObjects(links: Readonly<Record<string, LinkDeclaration>>): Record<string, LinkObject> {
  return Object.fromEntries(Object.entries(links).map(([name, link]) => [name, { ...link }]))
}
