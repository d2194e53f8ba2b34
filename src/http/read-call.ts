/** Reading a request into the call that an operation declares: its path parameters, query and body, all checked. */
import type { Context } from 'hono'
import type * as z from 'zod'
import type { Settings } from '../assumptions/register.ts'
import type { BodyDeclaration, Declaration, RawCall } from '../surface/operation.ts'
import { fieldsOf, metaOf, scalarKindOf, unwrap } from '../surface/schema-walk.ts'
import { NoFields } from '../wire/fields.ts'
import { noteAssumptions } from './assumptions.ts'
import { type ReceivedBody, readScalars, receiveBody } from './request/body.ts'
import { checked } from './request/field-errors.ts'
import { formPairs, parseForm } from './request/form.ts'
import { refuseUndocumentedFields, refuseUndocumentedMedia } from './request/strict.ts'
import { requestVariations } from './request-variations.ts'

type Fields = Record<string, unknown>

const noBody: BodyDeclaration = {
  schema: NoFields,
  media: ['form', 'json'],
  required: false,
  jsonSource: 'json-bodies',
}

/** Reads and checks everything that a request sends. Throws 413, 415 or 400. */
export async function readCall(
  c: Context,
  operation: Declaration,
  { unknownFields, vary, strict }: Pick<Settings, 'unknownFields' | 'vary' | 'strict'>,
): Promise<RawCall> {
  const { params, query = NoFields, body: declared = noBody } = operation
  const received = await receive(c, operation)
  if (!(received instanceof Uint8Array)) {
    noteMedia(c, declared, received)
    if (received.media === 'json') requestVariations['json-bodies'](declared, { vary })
    if (strict) refuseUndocumentedMedia(declared, received)
  }
  const read = (schema: z.ZodType, fields: Fields) => {
    const known = fieldsOf(schema)
    const names = Object.keys(fields)
    if (strict) refuseUndocumentedFields(known, fields)
    if (names.every((name) => known.has(name))) return checked(schema, fields)
    noteAssumptions(c, ['unknown-fields'])
    if (unknownFields === 'reject') return checked(schema, fields)
    const wanted = names.filter((name) => known.has(name)).map((name) => [name, fields[name]])
    return checked(schema, Object.fromEntries(wanted))
  }
  return {
    params: params === undefined ? {} : checked(params, c.req.param()),
    query: read(query, queryOf(c, operation)),
    body: received instanceof Uint8Array ? received : read(declared.schema, received.fields),
    c,
  }
}

function receive(c: Context, { method, body }: Declaration) {
  if (body === undefined && (method === 'get' || method === 'delete')) {
    return { media: 'none', fields: {} } as const
  }
  return receiveBody(c, body ?? noBody)
}

function queryOf({ req: { url } }: Context, { query, emptyQuery }: Declaration): Fields {
  const from = url.indexOf('?')
  if (from === -1) return {}
  const text = url.slice(from + 1).split('#', 1)[0] ?? ''
  const schema = query ?? NoFields
  const lists = listsOf(schema)
  if (lists.size === 0) return readScalars(parseForm(text, 'query', emptyQuery), schema)
  const [repeatable, single] = [new URLSearchParams(), new URLSearchParams()]
  for (const [name, value] of formPairs(text, 'query', emptyQuery)) {
    if (lists.get(name)?.isJoined === false) repeatable.append(name, value)
    else single.append(name, value)
  }
  const fields = readScalars(parseForm(String(single), 'query', emptyQuery), schema)
  for (const [name, { isJoined }] of lists) {
    if (isJoined && Object.hasOwn(fields, name)) fields[name] = String(fields[name]).split(',')
  }
  for (const name of repeatable.keys()) fields[name] = repeatable.getAll(name)
  return fields
}

/** The parameters that are lists: each comes several times, or has its values joined by commas. */
function listsOf(schema: z.ZodType): ReadonlyMap<string, { readonly isJoined: boolean }> {
  const lists = [...fieldsOf(schema)].filter(([, field]) => isList(field))
  return new Map(lists.map(([name, field]) => [name, { isJoined: metaOf(field).joined === true }]))
}

function isList(schema: z.ZodType): boolean {
  return unwrap(schema).def.type === 'array'
}

function noteMedia(c: Context, body: BodyDeclaration, { media, fields }: ReceivedBody): void {
  if (media === 'json' && body.jsonSource !== undefined) noteAssumptions(c, [body.jsonSource])
  if (media !== 'form') return
  const known = fieldsOf(body.schema)
  const isTyped = Object.keys(fields).some((name) => scalarKindOf(known.get(name)) !== 'text')
  if (isTyped) noteAssumptions(c, ['form-scalars'])
}
