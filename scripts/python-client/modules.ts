/** The generated modules of the Python client, from the documents of both surfaces. */
import type {
  OpenAPIObject,
  OperationObject,
  ParameterObject,
  ResponseObject,
  SchemaObject,
} from 'openapi3-ts/oas31'
import { controlRoutes } from '../../src/http/control/routes.ts'
import { controlDocument } from '../../src/openapi/control.ts'
import { v1Document } from '../../src/openapi/v1.ts'
import { VERSION } from '../../src/version.ts'
import { byHand, classes, leftOut, leftOutOfQueries, type Methods } from './plan.ts'
import { oneLine, openTypeBook, pascal, type TypeBook } from './types.ts'

interface Operation {
  readonly method: string
  readonly path: string
  readonly declared: OperationObject
}

const folder = 'clients/python/src/subscription_sandbox'
const head = `# Written by \`npm run python-client\` from the declarations of the operations. Not to be edited.`

/** The text of each generated module, by its path. */
export function pythonModules(): ReadonlyMap<string, string> {
  const documents = [controlDocument(controlRoutes, VERSION), v1Document(VERSION)]
  const operations = new Map(documents.flatMap(operationsOf))
  refuseUnplanned([...operations.keys()])
  const schemas = documents.map((each) => each.components?.schemas ?? {})
  const book = openTypeBook(Object.assign({}, ...schemas.reverse()))
  for (const name of typesByHand) book.typeOf({ $ref: `#/${name}` } as SchemaObject, name)
  const used = new Set<string>()
  const sources = Object.entries(classes).map(([name, methods]) =>
    classSource(name, methods, { operations, book, used }),
  )
  return new Map([
    [`${folder}/types.py`, `${typesHead}\n\n${book.classes()}`],
    [`${folder}/_methods.py`, `${methodsHead(used)}\n\n${sources.join('\n')}`],
  ])
}

/** What the part that is written by hand uses. */
const typesByHand = ['Advance', 'SandboxCreate', 'Sandbox', 'TokenResponse', 'WhatIf']

const typesHead = `${head}
"""What the sandbox answers and takes, as it is on the wire. Amounts are integers of minor units."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Dict, List, Literal, Optional, TypedDict, Union

if sys.version_info >= (3, 11):
    from typing import NotRequired
elif TYPE_CHECKING:
    from typing_extensions import NotRequired
`

const methodsHead = (used: ReadonlySet<string>) => `${head}
"""The operations of the sandbox, each as a method."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Dict, List, Literal, Optional

from ._transport import Resource, segment
from .types import (
${[...used]
  .filter((name) => !name.includes('['))
  .sort()
  .map((name) => `    ${name},`)
  .join('\n')}
)

if sys.version_info >= (3, 11):
    from typing import Unpack
elif TYPE_CHECKING:
    from typing_extensions import Unpack
`

/** Throws for an operation that is in no class and is not left out: a new one is decided about. */
function refuseUnplanned(operationIds: readonly string[]): void {
  const planned = new Set([
    ...Object.values(classes).flatMap((each) => Object.values(each)),
    ...byHand,
  ])
  const forgotten = operationIds.filter(
    (id) => !planned.has(id) && !leftOut.some((pattern) => pattern.test(id)),
  )
  if (forgotten.length > 0) {
    throw new Error(`scripts/python-client/plan.ts does not say what becomes of ${forgotten}`)
  }
}

interface Sources {
  readonly operations: ReadonlyMap<string, Operation>
  readonly book: TypeBook
  /** The types that the methods name. */
  readonly used: Set<string>
}

function classSource(name: string, methods: Methods, sources: Sources): string {
  const written = Object.entries(methods).map(([method, operationId]) => {
    const operation = sources.operations.get(operationId)
    if (operation === undefined) throw new Error(`There is no operation ${operationId}`)
    return methodSource(method, operation, sources)
  })
  return `class ${name}(Resource):\n${written.join('\n')}\n`
}

/** One method: what it takes, and the one call that it makes. */
function methodSource(
  name: string,
  { method, path, declared }: Operation,
  sources: Sources,
): string {
  const parameters = ((declared.parameters ?? []) as ParameterObject[]).filter(
    (each) => !(leftOutOfQueries[String(declared.operationId)] ?? []).includes(each.name),
  )
  const inPath = parameters.filter((each) => each.in === 'path').map((each) => each.name)
  const answer = answerOf(declared, sources)
  const query = parameters
    .filter((each) => each.in === 'query')
    // A method that answers the whole list asks for the pages.
    .filter(
      (each) =>
        !(
          answer.isList &&
          each.name === 'after' &&
          each.schema !== undefined &&
          !startsAfter(declared)
        ),
    )
  const body = bodyOf(declared, sources)
  const takes = [
    'self',
    ...inPath.map((each) => `${each}: str`),
    ...(body?.positional === undefined ? [] : [body.positional]),
    ...(query.length === 0 ? [] : ['*']),
    ...query.map((each) => `${each.name}: Optional[${queryType(each, sources.book)}] = None`),
    ...(body?.keywords === undefined ? [] : [body.keywords]),
  ]
  const target = `${inPath.length === 0 ? '' : 'f'}"${path.replace(/\{(\w+)\}/g, "{segment('$1', $1)}")}"`
  const sent = [
    ...(answer.isList ? [] : [`"${method.toUpperCase()}"`]),
    target,
    ...(query.length === 0
      ? []
      : [`query=dict(${query.map((each) => `${each.name}=${each.name}`).join(', ')})`]),
    ...(body === null ? [] : [`body=${body.sent}`]),
  ]
  const call = `self.${answer.isList ? '_list' : '_call'}`
  const returns = answer.type === 'None' ? '' : `answer: ${answer.type} = `
  return [
    wrapped(`    def ${name}`, takes, ` -> ${answer.type}:`),
    docstring(`${declared.summary}. ${declared.description}`),
    wrapped(`        ${returns}${call}`, sent, ''),
    ...(returns === '' ? [] : ['        return answer']),
    '',
  ].join('\n')
}

const WIDTH = 100

/** What stands between brackets, on one line where it fits there. */
function wrapped(before: string, members: readonly string[] | null, after: string): string {
  if (members === null) return `${before}${after}`
  const line = `${before}(${members.join(', ')})${after}`
  if (line.length <= WIDTH) return line
  const indent = ' '.repeat(before.search(/\S/))
  const lines = members.map((member) => {
    const [, name = '', inner] = /^(\w+=dict)\((.+)\)$/.exec(member) ?? []
    return `${wrapped(`${indent}    ${name || member}`, inner?.split(', ') ?? null, ',')}`
  })
  return [`${before}(`, ...lines, `${indent})${after}`].join('\n')
}

/** The docstring of a method, in lines that fit. */
function docstring(text: string): string {
  const indent = ' '.repeat(8)
  const lines: string[] = []
  let line = `${indent}"""`
  for (const word of oneLine(text).split(' ')) {
    if (line.trim() !== '' && line.length + word.length + 1 > WIDTH) {
      lines.push(line)
      line = indent
    }
    line += /(^\s*|""")$/.test(line) ? word : ` ${word}`
  }
  return [...lines, lines.length === 0 ? `${line}"""` : `${line}\n${indent}"""`].join('\n')
}

/** Events and requests are also asked for from where one stopped. */
function startsAfter({ operationId = '' }: OperationObject): boolean {
  return operationId === 'listEvents' || operationId === 'listRequests'
}

function queryType({ name, schema }: ParameterObject, book: TypeBook): string {
  return book.typeOf((schema ?? {}) as SchemaObject, pascal(name))
}

function bodyOf({ requestBody, operationId = '' }: OperationObject, { book, used }: Sources) {
  const content = (requestBody as { content?: Record<string, { schema?: SchemaObject }> })?.content
  const schema = content?.['application/json']?.schema
  if (schema === undefined) return null
  const type = book.typeOf(schema, `${pascal(operationId)}Body`)
  if (type.includes('[')) return { positional: `body: ${type}`, sent: 'body' }
  used.add(type)
  return { keywords: `**fields: Unpack[${type}]`, sent: 'fields' }
}

function answerOf({ operationId = '', responses }: OperationObject, { book, used }: Sources) {
  const statuses = Object.keys(responses as object).filter((status) => status < '300')
  const { content = {} } = (responses as Record<string, ResponseObject>)[statuses[0] ?? ''] ?? {}
  const schema = content['application/json']?.schema as SchemaObject | undefined
  if (schema === undefined) return { isList: false, type: 'text/plain' in content ? 'str' : 'None' }
  // One page of a list stands for the whole of it: the method asks for the others.
  const item = /(\w+)List$/.exec((schema as { $ref?: string }).$ref ?? '')?.[1]
  const one = item === undefined ? schema : ({ $ref: `#/${item}` } as SchemaObject)
  const type = book.typeOf(one, `${pascal(operationId)}Answer`)
  used.add(type)
  return item === undefined ? { isList: false, type } : { isList: true, type: `List[${type}]` }
}

function operationsOf({ paths = {} }: OpenAPIObject): [string, Operation][] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, value]): [string, Operation][] => {
      const declared = value as OperationObject
      return declared.operationId === undefined
        ? []
        : [[declared.operationId, { method, path, declared }]]
    }),
  )
}
