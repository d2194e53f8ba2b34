/** Reading a request into the call that an operation declares: its path parameters, query and body, all checked. */
import type { Context } from 'hono'
import type * as z from 'zod'
import type { Settings } from '../assumptions/register.ts'
import { validate } from '../surface/field-errors.ts'
import type { BodyDeclaration, Declaration, UntypedCall } from '../surface/operation.ts'
import { fieldsOf, scalarKindOf } from '../surface/schema-walk.ts'
import { NoFields } from '../wire/common/fields.ts'
import { type ReceivedBody, receiveBody } from './request/body.ts'
import { addAssumptions } from './request/context.ts'
import { readForm } from './request/form.ts'
import { assertDocumented, assertJsonAllowed } from './request/strict.ts'

type Fields = Record<string, unknown>

const noBody: BodyDeclaration = {
  schema: NoFields,
  media: ['form', 'json'],
  required: false,
  jsonSource: 'json-bodies',
}

/** Of an operation without a query; a body may have such a field. */
const noQuery = NoFields.meta({ accepts: 'the query string has no fields here' })

/** Reads and checks everything that a request sends. Throws 413, 415 or 400. */
export async function readCall(
  c: Context,
  operation: Declaration,
  { unknownFields, vary, strict }: Pick<Settings, 'unknownFields' | 'vary' | 'strict'>,
): Promise<UntypedCall> {
  const { params, query = noQuery, body: declared = noBody } = operation
  const received = await receive(c, operation)
  if (!ArrayBuffer.isView(received)) {
    noteMedia(c, declared, received)
    if (received.media === 'json') assertJsonAllowed(declared, { vary, strict })
  }
  const read = (schema: z.ZodType, fields: Fields) => {
    const known = fieldsOf(schema)
    const names = Object.keys(fields)
    if (strict) assertDocumented(known, fields)
    if (names.every((name) => known.has(name))) return validate(schema, fields)
    addAssumptions(c, ['unknown-fields'])
    if (unknownFields === 'reject') return validate(schema, fields)
    const wanted = names.filter((name) => known.has(name)).map((name) => [name, fields[name]])
    return validate(schema, Object.fromEntries(wanted))
  }
  return {
    params: params === undefined ? {} : validate(params, c.req.param()),
    query: read(query, queryOf(c, operation)),
    body: ArrayBuffer.isView(received) ? received : read(declared.schema, received.fields),
    c,
  }
}

function receive(c: Context, { method, body }: Declaration) {
  if (body === undefined && method === 'get') {
    return { media: 'none', fields: {} } as const
  }
  return receiveBody(c, body ?? noBody)
}

function queryOf({ req: { url } }: Context, { query = noQuery, emptyQuery }: Declaration): Fields {
  const from = url.indexOf('?')
  if (from === -1) return {}
  const text = url.slice(from + 1).split('#', 1)[0] ?? ''
  return readForm(text, query, { where: 'query', empty: emptyQuery })
}

function noteMedia(c: Context, body: BodyDeclaration, { media, fields }: ReceivedBody): void {
  if (media === 'json' && body.jsonSource !== undefined) addAssumptions(c, [body.jsonSource])
  if (media !== 'form') return
  const known = fieldsOf(body.schema)
  const isTyped = Object.keys(fields).some((name) => scalarKindOf(known.get(name)) !== 'text')
  if (isTyped) addAssumptions(c, ['form-scalars'])
}
