/** The generated modules of the Python client, from the declarations of the operations and their names. */
import type { ParameterObject, SchemaObject } from 'openapi3-ts/oas31'
import { operationNames } from '../../src/operations/names.ts'
import { methodsIn, type NameTable } from '../../src/operations/naming.ts'
import {
  type DeclaredOperation,
  declaredOperations,
  documents,
  itemsOf,
  referenceOf,
  startsAfter,
} from '../declared-operations.ts'
import { oneLine, openTypeBook, parameterName, pascal, type TypeBook } from './types.ts'

const folder = 'clients/python/src/subscription_sandbox'
const head = `# Written by \`npm run python-client\` from the declarations of the operations. Not to be edited.`

/** The text of each generated module, by its path. */
export function pythonModules(names: NameTable = operationNames): ReadonlyMap<string, string> {
  const operations = declaredOperations()
  const schemas = documents.map((each) => each.components?.schemas ?? {})
  const book = openTypeBook(Object.assign({}, ...schemas.toReversed()))
  for (const name of typesByHand) book.typeOf({ $ref: `#/${name}` } as SchemaObject, name)
  const sources: Sources = { operations, book, used: new Set() }
  const classes = Object.entries(methodsByClass(names)).map(([name, methods]) =>
    classSource(name, methods, sources),
  )
  return new Map([
    [`${folder}/types.py`, `${typesHead}\n\n${book.classes()}`],
    [`${folder}/_methods.py`, `${methodsHead(sources.used)}\n\n${classes.join('\n')}`],
  ])
}

/** Groups whose class is completed by hand, or called as a record is. */
const suffixed = ['sandbox', 'clock', 'payments', 'tokens', 'settings']

/** The operation of each method, by the classes that have them: `Invoices`, and `SandboxMethods` for the sandbox itself. */
function methodsByClass(names: NameTable): Record<string, Record<string, string>> {
  const classes: Record<string, Record<string, string>> = {}
  for (const [method, operationId] of methodsIn('python', names)) {
    const [verb = '', group = 'sandbox'] = method.split('.').reverse()
    const name = suffixed.includes(group) ? `${pascal(group)}Methods` : pascal(group)
    classes[name] = { ...classes[name], [verb]: operationId }
  }
  return classes
}

/** What the part that is written by hand uses, and what a receiver of webhooks gets. */
const typesByHand = [
  ...['Advance', 'SandboxCreate', 'Sandbox', 'TokenResponse', 'WhatIf'],
  'WebhookMessage',
]

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
from typing import TYPE_CHECKING, Any, Dict, List, Literal, Optional, Union

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

interface Sources {
  readonly operations: ReadonlyMap<string, DeclaredOperation>
  readonly book: TypeBook
  /** The types that the methods name. */
  readonly used: Set<string>
}

function classSource(
  name: string,
  methods: Readonly<Record<string, string>>,
  sources: Sources,
): string {
  const written = Object.entries(methods).map(([method, operationId]) => {
    const operation = sources.operations.get(operationId)
    if (operation === undefined) throw new Error(`There is no operation ${operationId}`)
    return methodSource(method, operation, sources)
  })
  return `class ${name}(Resource):\n${written.join('\n')}\n`
}

/** One method: what it takes, and the one call that it makes. */
function methodSource(name: string, operation: DeclaredOperation, sources: Sources): string {
  const { method, path, text, inPath } = operation
  const answer = answerOf(operation, sources)
  // A method that answers the whole list asks for the pages.
  const query = operation.query.filter(
    (each) => !(answer.isList && each.name === 'after' && !startsAfter(operation)),
  )
  const body = bodyOf(operation, sources)
  const takes = [
    'self',
    ...inPath.map((each) => `${each}: str`),
    ...(body?.positional === undefined ? [] : [body.positional]),
    ...(query.length === 0 ? [] : ['*']),
    ...query.map(
      (each) => `${parameterName(each.name)}: Optional[${queryType(each, sources.book)}] = None`,
    ),
    ...(body?.keywords === undefined ? [] : [body.keywords]),
  ]
  const target = `${inPath.length === 0 ? '' : 'f'}"${path.replace(/\{(\w+)\}/g, "{segment('$1', $1)}")}"`
  const sent = [
    ...(answer.isList ? [] : [`"${method.toUpperCase()}"`]),
    target,
    ...(query.length === 0
      ? []
      : [`query=dict(${query.map(({ name }) => argumentOf(name)).join(', ')})`]),
    ...(body === null ? [] : [`body=${body.sent}`]),
    ...(answer.type === 'str' ? ['is_text=True'] : []),
  ]
  const call = `self.${answer.isList ? '_list' : '_call'}`
  const returns = answer.type === 'None' ? '' : `answer: ${answer.type} = `
  return [
    wrapped(`    def ${name}`, takes, ` -> ${answer.type}:`),
    docstring(text),
    wrapped(`        ${returns}${call}`, sent, ''),
    ...(returns === '' ? [] : ['        return answer']),
    '',
  ].join('\n')
}

/** A member of a dict, from the parameter of the same field. */
function argumentOf(name: string): string {
  const parameter = parameterName(name)
  return parameter === name ? `${name}=${name}` : `**{"${name}": ${parameter}}`
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

function queryType({ name, schema }: ParameterObject, book: TypeBook): string {
  return book.typeOf((schema ?? {}) as SchemaObject, pascal(name))
}

function bodyOf({ body, operationId }: DeclaredOperation, { book, used }: Sources) {
  if (body === null) return null
  const type = book.typeOf(body, `${pascal(operationId)}Body`)
  if (type.includes('[')) return { positional: `body: ${type}`, sent: 'body' }
  used.add(type)
  return { keywords: `**fields: Unpack[${type}]`, sent: 'fields' }
}

function answerOf(
  { answer, answersText, operationId }: DeclaredOperation,
  { book, used }: Sources,
) {
  if (answer === null) return { isList: false, type: answersText ? 'str' : 'None' }
  // One page of a list stands for the whole of it: the method asks for the others.
  const isList = /List$/.test(referenceOf(answer) ?? '')
  const one = (isList ? itemsOf(answer) : answer) as SchemaObject
  const type = book.typeOf(one, `${pascal(operationId)}Answer`)
  used.add(type)
  return { isList, type: isList ? `List[${type}]` : type }
}
