/** The shared parts of control plane declarations. */
import * as z from 'zod'
import { pageOf } from '../wire/fields.ts'

/** The interface documents nothing on the control plane, and no call there needs a key. */
export const controlPlane = { source: 'sandbox', security: 'none' } as const

/** Bodies of the control plane are JSON. */
export const json = { media: ['json'], required: true } as const

/** The reply 200 with one thing. */
export function answers<Schema extends z.ZodType>(description: string, schema: Schema) {
  return { 200: { description, schema, source: 'sandbox' } } as const
}

/** The header with the path of a new record. */
export const location = {
  description: 'The path that it can be retrieved at.',
  schema: z.string().meta({ format: 'uri-reference' }),
  source: 'sandbox',
} as const

/** The reply 201 with a new record. */
export function makes<Schema extends z.ZodType>(description: string, schema: Schema) {
  return {
    201: { description, schema, source: 'sandbox', headers: { Location: location } },
  } as const
}

/** The reply 204. */
export const deletes = {
  204: { description: 'It is gone.', schema: null, source: 'sandbox' },
} as const

/** The reply 200 with one page of a list. */
export function pages<Item extends z.ZodType>(name: string, item: Item) {
  return answers('One page of them.', pageOf(name, item, z.string()))
}
