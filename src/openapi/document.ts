/**
 * Documents: an OpenAPI 3.1 document from the declarations that also route and check requests, so that it cannot say
 * anything else than what is served. Owns what goes without saying in a declaration: the refusals of every request.
 */
import type {
  OpenAPIObject,
  OperationObject,
  ParameterObject,
  PathItemObject,
  RequestBodyObject,
  SchemaObject,
  SecurityRequirementObject,
} from 'openapi3-ts/oas31'
import {
  BODY_LIMIT_BYTES,
  type BodyDeclaration,
  type Declaration,
  FORM_FIELDS_MAX,
  JSON_DEPTH_MAX,
  JSON_MEMBERS_MAX,
  JSON_VALUES_MAX,
  mediaTypes,
} from '../surface/operation.ts'
import { createSchemaBook, type SchemaBook } from '../surface/schema-book.ts'
import { fieldsOf, metaOf } from '../surface/schema-walk.ts'
import { type DocumentBuild, type DocumentPlan, USUAL_ADDRESS } from './common.ts'
import { type AnsweredCall, answeredCalls, exampleSandboxes, examplesAt } from './examples/call.ts'
import {
  beforeOperationsResponse,
  codesOf,
  headerObjects,
  responsesOf,
  sometimesObject,
} from './responses.ts'
import { addValueExamples, parameterExamples } from './value-examples.ts'

/** Builds the OpenAPI 3.1.0 document of one surface. */
export function buildDocument(plan: DocumentPlan): OpenAPIObject {
  const book = createSchemaBook()
  const errorSchema = book.toJsonSchema(plan.errors.schema(codesOf(plan)), 'output')
  const build = { ...plan, book, errorSchema, responses: new Map() }
  const paths: Record<string, PathItemObject> = {}
  for (const declared of plan.operations) {
    const item = paths[declared.path] ?? {}
    paths[declared.path] = { ...item, [declared.method]: operationObject(declared, build) }
  }
  const document: OpenAPIObject = {
    openapi: '3.1.0',
    info: plan.info,
    servers: [{ url: USUAL_ADDRESS, description: 'The sandbox.' }],
    tags: plan.tags,
    paths,
    ...(plan.webhooks && { webhooks: plan.webhooks(book) }),
    components: {
      securitySchemes: { ...plan.securitySchemes },
      responses: {
        ...Object.fromEntries(build.responses),
        before_operations: beforeOperationsResponse(build),
      },
      headers: headerObjects(plan.responseHeaders, book),
      schemas: book.components(),
    },
  }
  addValueExamples(document, plan.schemaExamples ?? {})
  return document
}

function operationObject(declared: Declaration, build: DocumentBuild): OperationObject {
  const { body, operationId, tag, summary, description, source } = declared
  const { book } = build
  const shown = answeredCalls(operationId, build.examples)
  const parameters = [...parametersOf(declared, book, shown), ...requestHeadersOf(build, shown)]
  return {
    operationId,
    tags: [tag],
    summary,
    description,
    'x-interface': source,
    ...sometimesObject(declared.sometimes?.any),
    security: securityOf(declared, build),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: bodyObject({ source, ...body }, book, shown) }),
    responses: responsesOf(declared, build),
  }
}

function securityOf({ security }: Declaration, plan: DocumentPlan): SecurityRequirementObject[] {
  const scheme = plan.security[security]
  if (scheme !== undefined) return [{ [scheme]: [] }]
  return plan.mayAskFor === undefined ? [] : [{}, { [plan.mayAskFor]: [] }]
}

function parametersOf(
  { params, query }: Declaration,
  book: SchemaBook,
  shown: readonly AnsweredCall[],
): ParameterObject[] {
  const inPath = params === undefined ? [] : [...fieldsOf(params)]
  const inQuery = query === undefined ? [] : [...fieldsOf(query)]
  return [...inPath, ...inQuery].map(([name, field], index) => {
    const place = index < inPath.length ? 'path' : 'query'
    const drawn = book.toJsonSchema(field, 'input')
    const { description, examples: _, ...schema } = drawn
    const { sent, known } = parameterExamples({ name, place, drawn }, shown)
    return {
      name,
      in: place,
      required: place === 'path' || !field.safeParse(undefined).success,
      ...(description !== undefined && { description }),
      ...(metaOf(field).joined === true && { style: 'form', explode: false }),
      // The example of a parameter is one that calls send: pages for trying out fill it in.
      schema: { ...schema, ...(known !== undefined && { examples: [known] }) } as SchemaObject,
      ...sent,
    }
  })
}

function requestHeadersOf(
  { requestHeaders, book }: DocumentBuild,
  shown: readonly AnsweredCall[],
): ParameterObject[] {
  return Object.entries(requestHeaders).map(([name, { schema, source, ...described }]) => ({
    name,
    in: 'header',
    ...described,
    'x-interface': source,
    schema: book.toJsonSchema(schema, 'input'),
    ...examplesAt(shown, ({ sandbox = exampleSandboxes.main }) => sandbox),
  }))
}

function bodyObject(
  body: BodyDeclaration & { readonly source: string },
  book: SchemaBook,
  shown: readonly AnsweredCall[],
): RequestBodyObject {
  const examples = examplesAt(shown, (each) => each.body)
  const content = body.media.map((media) => {
    const isForm = media === 'form'
    const schema = isForm ? book.toFormSchema(body.schema) : book.toJsonSchema(body.schema, 'input')
    const source = (isForm ? undefined : body.jsonSource) ?? body.source
    return [mediaTypes[media], { 'x-interface': source, schema, ...examples }] as const
  })
  return {
    description: [body.schema.meta()?.description, limitsOf(body)].filter(Boolean).join(' '),
    required: body.required,
    content: Object.fromEntries(content) as never,
  }
}

/** How large a body may be, which no schema says. */
function limitsOf({ media, limitBytes = BODY_LIMIT_BYTES }: BodyDeclaration): string {
  const isLarge = limitBytes > BODY_LIMIT_BYTES
  const values = isLarge ? `${JSON_MEMBERS_MAX} members in one object` : `${JSON_VALUES_MAX} values`
  const json = `In JSON at most ${JSON_DEPTH_MAX} levels and ${values}.`
  const form = media.includes('form') ? ` In a form at most ${FORM_FIELDS_MAX} fields.` : ''
  return `At most ${limitBytes} bytes. ${json}${form}`
}
