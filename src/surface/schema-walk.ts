/**
 * Walks zod schemas: the type of a field without its wrappers, the fields of an object, and the schema at a path. Owns
 * all reading of zod's definitions for validation; documents are written elsewhere.
 */
import * as z from 'zod'
import type { AssumptionSlug } from '../assumptions/register.ts'

/** The metadata of the wire schemas, beyond JSON Schema. */
export interface FieldMeta {
  /** The rule in words, as in "trial_period_days must be <accepts>". */
  readonly accepts?: string
  /** Whether the value must never be printed. */
  readonly secret?: boolean
  /** The accepted value nearest to a refused one; null if none is near. */
  readonly nearest?: (value: unknown) => string | null
  /** The interface section or the assumption of the field. */
  readonly source?: string
  /** The assumption of its bounds, if `source` documents the field itself. */
  readonly bounds?: AssumptionSlug
  /** The assumption that answers have the field, if `source` documents the field itself. */
  readonly presence?: AssumptionSlug
  /** Whether a query writes the list as one value with commas, not as a repeated parameter. */
  readonly joined?: boolean
  /** The assumptions of single values that `source` does not cover. */
  readonly members?: Readonly<Record<string, AssumptionSlug>>
}

/** The kinds of value that a form or a query writes as bare text. */
export type ScalarKind = 'integer' | 'boolean' | 'text'

/** The schema inside `optional`, `nullable`, `default` and transforms: what a caller sends. */
export function unwrap(schema: z.ZodType): z.ZodType {
  const inner = innerOf(schema)
  return inner === schema ? schema : unwrap(inner)
}

/** The metadata of a schema; a wrapper's own comes before that of the wrapped schema. */
export function metaOf(schema: z.ZodType): FieldMeta {
  const own = (schema.meta() ?? {}) as FieldMeta
  if (own.accepts !== undefined || own.secret !== undefined) return own
  const inner = innerOf(schema)
  return inner === schema ? own : { ...metaOf(inner), ...own }
}

type Fields = ReadonlyMap<string, z.ZodType>

/** Finds something of each schema once, because every request needs it of those of its operation. */
function memoize<Found>(find: (schema: z.ZodType) => Found): (schema: z.ZodType) => Found {
  const known = new WeakMap<z.ZodType, Found>()
  return (schema) => {
    const found = known.get(schema) ?? find(schema)
    known.set(schema, found)
    return found
  }
}

/** Every field of an object schema, including those of all its alternatives, in their order. */
export const fieldsOf = memoize((schema): Fields => {
  const bare = unwrap(schema)
  if (bare instanceof z.ZodObject) {
    return new Map(Object.entries(bare.shape as Record<string, z.ZodType>))
  }
  const fields = new Map<string, z.ZodType>()
  for (const [name, field] of optionsOf(bare).flatMap((option) => [...fieldsOf(option)])) {
    if (!fields.has(name)) fields.set(name, field)
  }
  return fields
})

const kindOf = memoize((schema): ScalarKind => {
  const { type } = unwrap(schema).def
  if (type === 'boolean') return 'boolean'
  return type === 'number' ? 'integer' : 'text'
})

/** Whether a field is a list, inside any wrapper. */
export const isList = memoize((schema) => unwrap(schema).def.type === 'array')

/** How the bare text of a field is parsed; `text` for an unknown field. */
export function scalarKindOf(schema: z.ZodType | undefined): ScalarKind {
  return schema === undefined ? 'text' : kindOf(schema)
}

/** The alternatives of a union; empty for any other schema. */
export function optionsOf(schema: z.ZodType): readonly z.ZodType[] {
  const bare = unwrap(schema)
  return bare instanceof z.ZodUnion ? (bare.options as readonly z.ZodType[]) : []
}

/** The object schema for a value: in a discriminated union, the one that its discriminators choose. */
export function variantFor(schema: z.ZodType, value: unknown): z.ZodType {
  const bare = unwrap(schema)
  if (!(bare instanceof z.ZodDiscriminatedUnion)) return bare
  const chosen = chosenOption(bare, value)
  return chosen === undefined ? bare : variantFor(chosen, value)
}

/** The alternative that the discriminator of a value chooses; undefined if it chooses none. */
export function chosenOption(
  union: z.ZodDiscriminatedUnion,
  value: unknown,
): z.ZodType | undefined {
  const name = union.def.discriminator
  const held = memberOf(value, name) as z.core.util.Primitive
  return optionsOf(union).find((option) => option._zod.propValues?.[name]?.has(held))
}

/** The schema at a path below a schema, for a given value; undefined if the path leads nowhere. */
export function schemaAt(
  schema: z.ZodType,
  path: readonly PropertyKey[],
  value: unknown,
): z.ZodType | undefined {
  const [step, ...rest] = path
  if (step === undefined) return schema
  const variant = variantFor(schema, value)
  const inner = elementOf(variant) ?? fieldsOf(variant).get(String(step))
  return inner && schemaAt(inner, rest, memberOf(value, step))
}

/** The element schema of a list or a record, inside any wrapper. */
function elementOf(schema: z.ZodType): z.ZodType | undefined {
  if (schema instanceof z.ZodArray) return schema.element as z.ZodType
  return schema instanceof z.ZodRecord ? (schema.valueType as z.ZodType) : undefined
}

/** The child of a value at one step of a path. */
export function memberOf(value: unknown, step: PropertyKey): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
  return (value as Record<PropertyKey, unknown>)[step]
}

function innerOf(schema: z.ZodType): z.ZodType {
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault
  ) {
    return schema.unwrap() as z.ZodType
  }
  return schema instanceof z.ZodPipe ? (schema.in as z.ZodType) : schema
}
