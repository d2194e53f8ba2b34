/**
 * The five operations that every collection of the catalog has: list, create, retrieve, change, delete. Declares
 * them from the schemas in which collections differ; answers none of them.
 */
import type * as z from 'zod'
import { operation } from '../../surface/operation.ts'
import { PageQuery, pageOf } from '../../wire/fields.ts'
import { controlPlane, json } from './calls.ts'

/** In what one collection differs from another. */
export interface Collection<
  Item extends z.ZodType,
  Create extends z.ZodType,
  Patch extends z.ZodType,
  Params extends z.ZodObject,
> {
  /** The last part of the path: `products`. */
  readonly path: string
  /** What one item is called in identifiers and in sentences: `Product`. */
  readonly name: string
  readonly item: Item
  readonly create: Create
  readonly patch: Patch
  readonly params: Params
}

/** Declares the operations of a collection. */
export function declareCollection<
  Item extends z.ZodType,
  Create extends z.ZodType,
  Patch extends z.ZodType,
  Params extends z.ZodObject,
>(collection: Collection<Item, Create, Patch, Params>) {
  const { name, path, item, create, patch, params } = collection
  const word = name.toLowerCase()
  const at = `/sandbox/${path}` as const
  const one = `${at}/{${Object.keys(params.shape).join()}}` as const
  const shared = { ...controlPlane, tag: 'Catalog', path: one, params } as const
  const found = { 200: { description: `The ${word}.`, schema: item, source: 'sandbox' } } as const
  return {
    list: operation({
      ...controlPlane,
      operationId: `list${name}s`,
      method: 'get',
      path: at,
      tag: 'Catalog',
      summary: `List ${word}s`,
      description: 'Oldest first.',
      query: PageQuery,
      replies: {
        200: { description: 'One page of them.', schema: pageOf(name, item), source: 'sandbox' },
      },
      refusals: [],
    }),
    create: operation({
      ...controlPlane,
      operationId: `create${name}`,
      method: 'post',
      path: at,
      tag: 'Catalog',
      summary: `Create a ${word}`,
      description: 'Checked as a fixture is.',
      body: { ...json, schema: create },
      replies: { 201: { description: `The ${word}.`, schema: item, source: 'sandbox' } },
      refusals: ['not_found', 'exists', 'sandbox_full'],
    }),
    retrieve: operation({
      ...shared,
      operationId: `retrieve${name}`,
      method: 'get',
      summary: `Retrieve a ${word}`,
      description: 'As it stands.',
      replies: found,
      refusals: ['not_found'],
    }),
    change: operation({
      ...shared,
      operationId: `change${name}`,
      method: 'patch',
      summary: `Change a ${word}`,
      description: 'A field that is absent stays as it is.',
      body: { ...json, schema: patch },
      replies: found,
      refusals: ['not_found', 'in_use'],
    }),
    remove: operation({
      ...shared,
      operationId: `delete${name}`,
      method: 'delete',
      summary: `Delete a ${word}`,
      description: 'Refused while something refers to it.',
      replies: { 204: { description: 'It is gone.', schema: null, source: 'sandbox' } },
      refusals: ['not_found', 'in_use'],
    }),
  }
}
