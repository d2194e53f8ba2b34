/** The operations of both documents, as a generated client calls them: what its method takes, and what it answers. */
import type {
  OpenAPIObject,
  OperationObject,
  ParameterObject,
  ResponseObject,
  SchemaObject,
} from 'openapi3-ts/oas31'
import { controlRoutes } from '../src/http/control/routes.ts'
import { controlDocument } from '../src/openapi/control.ts'
import { v1Document } from '../src/openapi/v1.ts'
import { VERSION } from '../src/version.ts'

export interface DeclaredOperation {
  readonly operationId: string
  readonly method: string
  readonly path: string
  /** What a method says of itself. */
  readonly text: string
  readonly inPath: readonly string[]
  readonly query: readonly ParameterObject[]
  /** Null where it takes none. */
  readonly body: SchemaObject | null
  readonly isBodyRequired: boolean
  /** What it answers as JSON; null where that is a text or nothing. */
  readonly answer: SchemaObject | null
  readonly answersText: boolean
}

export const documents: readonly OpenAPIObject[] = [
  controlDocument(controlRoutes, VERSION),
  v1Document(VERSION),
]

/** Every operation, by its id. */
export function declaredOperations(): ReadonlyMap<string, DeclaredOperation> {
  const found = documents.flatMap(({ paths = {} }) =>
    Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).flatMap(([method, value]) => {
        const declared = value as OperationObject
        return declared.operationId === undefined ? [] : [operationOf({ method, path, declared })]
      }),
    ),
  )
  return new Map(found.map((each) => [each.operationId, each]))
}

/** Events and requests are also asked for from where one stopped. */
export function startsAfter({ operationId }: DeclaredOperation): boolean {
  return operationId === 'listEvents' || operationId === 'listRequests'
}

/** The name that a schema refers to; null where it says all itself. */
export function referenceOf(schema: unknown): string | null {
  return /[^/]+$/.exec((schema as { $ref?: string } | undefined)?.$ref ?? '')?.[0] ?? null
}

/** What the pages of a list have. */
export function itemsOf(answer: unknown): unknown {
  const page = documents.flatMap(({ components }) => {
    return components?.schemas?.[referenceOf(answer) ?? ''] ?? []
  })[0] as { properties: { data: { items: unknown } } }
  return page.properties.data.items
}

interface Found {
  readonly method: string
  readonly path: string
  readonly declared: OperationObject
}

type Contents = Readonly<Record<string, { readonly schema?: unknown }>>

function operationOf({ method, path, declared }: Found): DeclaredOperation {
  const { operationId = '', summary, description, requestBody } = declared
  const parameters = (declared.parameters ?? []) as ParameterObject[]
  const body = (requestBody ?? {}) as { content?: Contents; required?: boolean }
  const success = Object.keys(declared.responses as object).find((status) => status < '300') ?? ''
  const { content = {} } = (declared.responses as Record<string, ResponseObject>)[success] ?? {}
  return {
    ...{ operationId, method, path },
    text: `${summary}. ${description}`,
    inPath: parameters.filter((each) => each.in === 'path').map(({ name }) => name),
    query: parameters.filter((each) => each.in === 'query' && !isForPeople(operationId, each)),
    body: jsonIn(body.content),
    isBodyRequired: body.required ?? false,
    answer: jsonIn(content as Contents),
    answersText: 'text/plain' in content && !('application/json' in content),
  }
}

function jsonIn(content: Contents = {}): SchemaObject | null {
  return (content['application/json']?.schema as SchemaObject | undefined) ?? null
}

function isForPeople(operationId: string, { name }: ParameterObject): boolean {
  return operationId === 'retrieveCoverage' && name === 'format'
}
