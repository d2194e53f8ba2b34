/** Bodies that an operation reads in a worker: the router hands over their bytes, because parsing large ones blocks it. */
import * as z from 'zod'

/** The bytes of a body that nobody has parsed. A class, so that a schema can tell it from the fields of a body. */
export class UnreadBody {
  readonly #bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  /** The body as it came: UTF-8 and JSON are still to be checked. */
  get bytes(): Uint8Array {
    return this.#bytes
  }
}

const documented = new WeakMap<z.ZodType, z.ZodType>()

/** A schema that the documents show as `schema`, and that takes a body as it came. */
export function unread(schema: z.ZodType): z.ZodType<UnreadBody> {
  const { $schema: _, ...drawn } = z.toJSONSchema(schema, { io: 'input' })
  const taken = z.instanceof(UnreadBody).meta({ ...schema.meta(), ...drawn })
  documented.set(taken, schema)
  return taken
}

/** The schema of the fields that a body has, which the documents show; null where the router reads the body. */
export function unreadSchemaOf(schema: z.ZodType): z.ZodType | null {
  return documented.get(schema) ?? null
}
