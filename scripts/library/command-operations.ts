/** Operations as the command line calls them, from their declarations. */
import * as z from 'zod'
import type { CommandOperation, Field, Kind } from '../../src/cli/operations/fields.ts'
import { controlRoutes } from '../../src/http/control/routes.ts'
import { billingOperations } from '../../src/operations/billing-operations.ts'
import { v1Operations } from '../../src/operations/v1.ts'
import type { Declaration } from '../../src/surface/operation.ts'
import { fieldsOf, metaOf, optionsOf, unwrap } from '../../src/surface/schema-walk.ts'

/** The module of all, as JSON. */
export function commandOperationsText(): string {
  const rows = [...v1Operations, ...controlRoutes].map((each: Declaration) => [
    each.operationId,
    commandOperation(each),
  ])
  return `${JSON.stringify(Object.fromEntries(rows), null, 1)}\n`
}

export function commandOperation(declared: Declaration): CommandOperation {
  const { operationId, method, path, summary, description, query, body, replies } = declared
  const schema = query ?? body?.schema
  const inBody = body?.media.includes('form') ? 'form' : 'json'
  const fieldsIn = query !== undefined ? 'query' : inBody
  const params = Object.entries<z.ZodType>(declared.params?.shape ?? {})
  const answersText = Object.values(replies).some(
    ({ mediaType = 'json' }) => !mediaType.includes('json'),
  )
  return {
    ...{ method, path, summary, description },
    credential: declared.security,
    params: Object.fromEntries(params.map(([name, each]) => [name, descriptionOf(each)])),
    fieldsIn: schema === undefined ? null : fieldsIn,
    ...(body?.required && { isBodyRequired: true as const }),
    fields: schema === undefined ? [] : leavesOf(schema),
    lists: listsIn(replies),
    ...(answersText && { answersText }),
    ...(operationId in billingOperations && { isChange: true as const }),
  }
}

/** The fields that each record of a list has by its declaration. */
function listsIn(replies: Declaration['replies']): CommandOperation['lists'] {
  const page = replies[200]?.schema ?? null
  const members = page === null ? [] : [...fieldsOf(page)]
  const lists = members.flatMap(([name, member]) => {
    const bare = unwrap(member)
    return bare instanceof z.ZodArray
      ? [[name, [...fieldsOf(bare.element as z.ZodType).keys()]]]
      : []
  })
  return Object.fromEntries(lists)
}

/** An object with more fields is written as JSON: that many options would hide the others. */
const FLATTENED_MAX = 10

function leavesOf(schema: z.ZodType, within: readonly string[] = []): Field[] {
  return [...fieldsOf(schema)].flatMap(([name, field]) => {
    const path = [...within, name]
    const inner = unwrap(field)
    const isFlat = inner instanceof z.ZodObject && fieldsOf(inner).size <= FLATTENED_MAX
    if (isFlat) return leavesOf(inner, path)
    const each = alternatives(schema, name)
    const words = wordsOfAll(each)
    const takes = (value: unknown) => field.safeParse(value).success
    const kind = kindOf(field)
    return {
      path,
      description: [...new Set(each.map(descriptionOf))].join(' Or: '),
      kind,
      ...(words.length > 0 && { words }),
      ...(within.length === 0 && isRequired(schema, name) && { isRequired: true as const }),
      ...(takes(null) && !(kind === 'text' && takes('null')) && { takesNull: true as const }),
      ...((kind === 'number' || words.some((word) => !takes(word) && takes(Number(word)))) && {
        takesNumber: true as const,
      }),
    }
  })
}

/** A field as each alternative of an object has it. */
function alternatives(schema: z.ZodType, name: string): z.ZodType[] {
  const options = optionsOf(schema)
  return options.length === 0
    ? [fieldsOf(schema).get(name) ?? []].flat()
    : options.flatMap((option) => alternatives(option, name))
}

/** Whether an object, or each alternative of one, requires a field. */
function isRequired(schema: z.ZodType, name: string): boolean {
  const options = optionsOf(schema)
  if (options.length > 0) return options.every((option) => isRequired(option, name))
  return fieldsOf(schema).get(name)?.safeParse(undefined).success === false
}

/** The words of a schema, also where a setting can add one to them. */
function wordsOf(schema: z.ZodType): string[] {
  const inner = unwrap(schema)
  if (inner instanceof z.ZodEnum) return inner.options.map(String)
  if (inner instanceof z.ZodLiteral) return [...inner.values].map(String)
  if (inner instanceof z.ZodArray) return wordsOf(inner.element as z.ZodType)
  return [...new Set(optionsOf(inner).flatMap(wordsOf))]
}

/** None where one of the alternatives takes any text. */
function wordsOfAll(schemas: readonly z.ZodType[]): string[] {
  const each = schemas.map(wordsOf)
  return each.every((words) => words.length > 0) ? [...new Set(each.flat())] : []
}

function descriptionOf(schema: z.ZodType): string {
  const described = schema.meta()?.description ?? unwrap(schema).meta()?.description
  return described ?? metaOf(schema).accepts ?? ''
}

function kindOf(schema: z.ZodType): Kind {
  const inner = unwrap(schema)
  const { type } = inner.def
  if (type === 'boolean' || (inner instanceof z.ZodEnum && inner.options.includes('true'))) {
    return 'switch'
  }
  if (type === 'number') return 'number'
  if (inner instanceof z.ZodArray)
    return kindOf(inner.element as z.ZodType) === 'text' ? 'list' : 'json'
  const alternatives = optionsOf(inner)
  if (alternatives.length > 0 && alternatives.every((each) => kindOf(each) === 'json'))
    return 'json'
  return type === 'object' || type === 'record' ? 'json' : 'text'
}
