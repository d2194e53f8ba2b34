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
import type { AssumptionSlug } from '../assumptions/register.ts'
import type {
  Declaration,
  LinkDeclaration,
  ReplyDeclaration,
  SuccessStatus,
} from '../surface/operation.ts'
import type { SchemaBook } from '../surface/schema-book.ts'
import { type Code, type CodeEntry, codeTable, type RefusalStatus } from '../wire/errors.ts'
import { examplesAt, type Shown, shownOf } from './examples/shown.ts'
import type { DocumentPlan, HeaderPlans } from './plan.ts'
import { refusalCodesOf } from './refusal-codes.ts'

/** What the server answers before a request has come to an operation. */
const beforeOperations = [
  'invalid_request',
  'request_timeout',
  'expectation_failed',
  'headers_too_large',
] as const satisfies readonly Code[]

/** What a path that exists is not the place for: no operation answers it. */
const besideOperations = ['not_found', 'method_not_allowed'] as const satisfies readonly Code[]

/** Every response of an operation, by status. */
export function responsesOf(
  declared: Declaration,
  plan: DocumentPlan,
  book: SchemaBook,
): ResponsesObject {
  const responses: Record<string, ResponseObject | ReferenceObject> = {}
  const all = shownOf(declared.operationId, plan.examples)
  for (const [status, reply] of Object.entries(declared.replies)) {
    const some = declared.sometimes?.[Number(status) as SuccessStatus]
    const shown = all.filter(({ answer }) => String(answer.status) === status)
    responses[status] = replyObject({ ...reply, shown, ...(some && { some }) }, plan, book)
  }
  const own = declared.refusalAssumptions ?? {}
  for (const [status, codes] of refusalsOf(declared)) {
    responses[status] = isShared(declared, codes)
      ? { $ref: `#/components/responses/${sharedName(codes)}` }
      : refusalObject({ statuses: [status], codes, own }, plan, book)
  }
  return { ...responses, default: { $ref: '#/components/responses/before_operations' } }
}

/** The responses that operations share word for word, by their codes; and what the server answers by itself. */
export function sharedRefusals(
  plan: DocumentPlan,
  book: SchemaBook,
): Record<string, ResponseObject> {
  const responses = new Map<string, ResponseObject>()
  for (const declared of plan.operations) {
    for (const [status, codes] of refusalsOf(declared)) {
      if (!isShared(declared, codes)) continue
      const response = refusalObject({ statuses: [status], codes, own: {} }, plan, book)
      responses.set(sharedName(codes), response)
    }
  }
  const statuses = beforeOperations.map((code) => codeTable[code].status)
  const before = refusalObject({ statuses, codes: beforeOperations, own: {} }, plan, book)
  return Object.fromEntries([...responses, ['before_operations', before]])
}

/** Whether a refusal reads the same wherever it is answered. Longer lists are those of a single operation. */
function isShared({ refusalAssumptions = {} }: Declaration, codes: Refusal['codes']): boolean {
  return codes.length <= 2 && codes.every((code) => refusalAssumptions[code] === undefined)
}

/** What a shared refusal is called among the components. */
function sharedName(codes: Refusal['codes']): string {
  return codes.join('_or_')
}

/** The codes that an operation can refuse with, by status. */
function refusalsOf(declared: Declaration): [RefusalStatus, Refusal['codes']][] {
  const byStatus = new Map<RefusalStatus, Set<Code>>()
  for (const code of refusalCodesOf(declared)) {
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

/** Every code that can be answered on the surface, in the order of the table. */
function codesOf(plan: DocumentPlan): readonly Code[] {
  const found = new Set<Code>([...beforeOperations, ...besideOperations])
  for (const [, codes] of plan.operations.flatMap(refusalsOf)) {
    for (const code of codes) found.add(code)
  }
  return (Object.keys(codeTable) as Code[]).filter((code) => found.has(code))
}

interface ShownReply extends ReplyDeclaration {
  readonly some?: readonly AssumptionSlug[]
  readonly shown: readonly Shown[]
}

function replyObject(reply: ShownReply, plan: DocumentPlan, book: SchemaBook): ResponseObject {
  const { description, schema, mediaType = 'application/json', links, shown } = reply
  const { Location: location, ...headers } = headerObjects(reply.headers ?? {}, book)
  const mediaTypes = [mediaType, ...(reply.textTypes ?? [])]
  const content = mediaTypes.map((media) => {
    // A body that is no text is JSON, in whatever media type.
    const own = shown.filter(({ answer }) => (answer.textType ?? mediaType) === media)
    const drawn = media === mediaType && schema ? book.draw(schema, 'output') : { type: 'string' }
    return [media, { schema: drawn, ...examplesAt(own, ({ answer }) => answer.body ?? undefined) }]
  })
  return {
    description,
    'x-interface': sourcesText([reply.source, ...(reply.assumptions ?? [])]),
    ...sometimesObject(reply.some),
    headers: {
      ...headerReferences(plan),
      ...headers,
      ...(location && {
        Location: { ...location, ...examplesAt(shown, ({ answer }) => answer.location) },
      }),
    },
    ...(schema && { content: Object.fromEntries(content) as ContentObject }),
    ...(links === undefined ? {} : { links: linkObjects(links) }),
  }
}

interface Refusal {
  /** One, or one for each code. */
  readonly statuses: readonly RefusalStatus[]
  readonly codes: readonly [Code, ...Code[]]
  /** What the operation says that its refusals rest on, in place of the table. */
  readonly own: NonNullable<Declaration['refusalAssumptions']>
}

function refusalObject(refusal: Refusal, plan: DocumentPlan, book: SchemaBook): ResponseObject {
  const { statuses, codes, own } = refusal
  const { mediaType, schema, example, source } = plan.errors
  const [status] = statuses as [RefusalStatus]
  const assumptionsOf = (code: Code) =>
    source === undefined ? (own[code] ?? codeTable[code].assumptions) : []
  const fallback = source ?? 'sandbox'
  const titles = codes.map((code, at) => {
    const said = statuses.length === 1 ? '' : `${statuses[at]} `
    return `${said}\`${code}\`: ${codeTable[code].title}.`
  })
  const examples = codes.map((code, at) => {
    const value = example(code, statuses[at] ?? status)
    return [code, { summary: codeTable[code].title, value }] as const
  })
  const some = codes.flatMap((code) => {
    const slugs = source === undefined ? sometimesOf(code) : []
    return slugs.length === 0 ? [] : [[code, sourcesText(slugs)] as const]
  })
  return {
    description: titles.join(' '),
    'x-interface': sourcesText(codes.flatMap(assumptionsOf)) || fallback,
    'x-error-codes': Object.fromEntries(
      codes.map((code) => [code, sourcesText(assumptionsOf(code)) || fallback]),
    ),
    ...(some.length === 0 ? {} : { 'x-error-codes-sometimes': Object.fromEntries(some) }),
    headers: { ...headerReferences(plan), ...headerObjects(refusalHeaders(status), book) },
    content: {
      [mediaType]: {
        schema: book.draw(schema(codesOf(plan)), 'output'),
        examples: Object.fromEntries(examples),
      },
    },
  }
}

function sometimesOf(code: Code): readonly AssumptionSlug[] {
  const entry: CodeEntry = codeTable[code]
  return entry.sometimes ?? []
}

/** What some answers rest on, beside what all of them do. */
export function sometimesObject(some: readonly AssumptionSlug[] = []): object {
  return some.length === 0 ? {} : { 'x-interface-sometimes': sourcesText(some) }
}

/** Sections and assumptions, as the header prints them. */
function sourcesText(sources: readonly string[]): string {
  return [...new Set(sources)].sort().join(', ')
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
    Object.entries(headers).map(([name, { description, required = true, schema, source }]) => [
      name,
      { description, required, 'x-interface': source, schema: book.draw(schema, 'output') },
    ]),
  )
}

function refusalHeaders(status: RefusalStatus): HeaderPlans {
  if (status !== 401) return {}
  const description = 'The scheme to authenticate by.'
  return { 'WWW-Authenticate': { description, schema: z.string(), source: 'error-codes' } }
}

function linkObjects(links: Readonly<Record<string, LinkDeclaration>>): Record<string, LinkObject> {
  return Object.fromEntries(Object.entries(links).map(([name, link]) => [name, { ...link }]))
}
