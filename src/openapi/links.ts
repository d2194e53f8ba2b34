/**
 * Links of answers that a declaration does not list: from an answer with a record, or with a list of records, to the
 * operations of the same tag that find one by its identifier.
 */

import * as z from 'zod'
import type { Declaration, LinkDeclaration, ReplyDeclaration } from '../surface/operation.ts'
import { pathParametersOf } from '../surface/operation.ts'
import { fieldsOf } from '../surface/schema-walk.ts'

/** The links of a reply, by the operation that each leads to. */
export function derivedLinks(
  { operationId, tag, params }: Declaration,
  { schema }: ReplyDeclaration,
  operations: readonly Declaration[],
): Readonly<Record<string, LinkDeclaration>> {
  if (schema === null) return {}
  const fields = fieldsOf(schema)
  const list = fields.get('data')
  const record = list instanceof z.ZodArray ? fieldsOf(list.element as z.ZodType) : fields
  const at = list instanceof z.ZodArray ? '/data/0' : ''
  const known = params === undefined ? [] : Object.keys(params.shape)
  const links = operations.flatMap((other) => {
    const names = pathParametersOf(other.path)
    const inAnswer = names.filter((name) => record.has(name))
    const isFound = names.every((name) => record.has(name) || known.includes(name))
    if (other.tag !== tag || other.operationId === operationId) return []
    if (inAnswer.length === 0 || !isFound) return []
    const parameters = names.map((name) => {
      return [name, record.has(name) ? `$response.body#${at}/${name}` : `$request.path.${name}`]
    })
    const link = { operationId: other.operationId, description: `${other.summary}.` }
    return [[other.operationId, { ...link, parameters: Object.fromEntries(parameters) }] as const]
  })
  return Object.fromEntries(links)
}
