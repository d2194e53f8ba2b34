/** The five operations that every collection of the catalog has: list, create, retrieve, change, delete. */
import * as z from 'zod'
import { created, noContent, ok, type Route, route } from '../../surface/operation.ts'
import { type CamelKeys, camelKeys, presentAs } from '../../wire/case.ts'
import type { Code } from '../../wire/errors.ts'
import { PageQuery, Reference } from '../../wire/fields.ts'
import { type Executed, find } from '../../world/answer.ts'
import { type Deletable, remove } from '../../world/commands/catalog.ts'
import type { Refusal } from '../../world/refusal.ts'
import type { World } from '../../world/world.ts'
import { executeInWorld, readInWorld, takePage } from './calls.ts'
import { answers, controlPlane, deletes, json, makes, pages } from './declarations.ts'

/** A record in code that has this shape on the wire. */
type RecordOf<Wire extends z.ZodObject> = CamelKeys<z.input<Wire>>

/** In what one collection differs from another. */
export interface Collection<Wire extends z.ZodObject, Create, Patch extends object, Order> {
  /** The last part of the path, and the collection of the world. */
  readonly path: Deletable
  /** What one item is called in identifiers and in sentences: `Product`. */
  readonly name: string
  /** The field that identifies an item. */
  readonly id: string & keyof z.input<Wire>
  readonly item: Wire
  /** How each can be refused for what it refers to, or what refers to it. */
  readonly refusals: { readonly [Each in 'create' | 'change' | 'delete']?: readonly Code[] }
  readonly create: z.ZodType<Create>
  readonly patch: z.ZodType<Patch>
  readonly records: (world: World) => ReadonlyMap<string, RecordOf<Wire>>
  readonly order: (body: Create) => Order
  readonly add: (world: World, order: Order) => Executed<RecordOf<Wire>> | Refusal
  readonly alter: (
    world: World,
    id: string,
    patch: CamelKeys<Patch>,
  ) => Executed<RecordOf<Wire>> | Refusal
}

/** The operations of a collection. */
export function collectionRoutes<Wire extends z.ZodObject, Create, Patch extends object, Order>(
  collection: Collection<Wire, Create, Patch, Order>,
): Route[] {
  const { path, name, id: field, item, create, patch, refusals } = collection
  const { records, order, add, alter } = collection
  const present = (record: RecordOf<Wire>) => presentAs(item, record)
  const word = name.toLowerCase()
  const all = { ...controlPlane, path: `/sandbox/${path}`, tag: 'Catalog' } as const
  const params = z.strictObject({ [field]: Reference })
  const one = { ...all, path: `/sandbox/${path}/{${field}}`, params } as const
  return [
    route({
      ...all,
      operationId: `list${name}s`,
      method: 'get',
      summary: `List ${word}s`,
      description: 'Oldest first.',
      query: PageQuery,
      replies: pages(name, item),
      answer: async ({ query, c }) =>
        ok(await readInWorld(c, (world) => takePage(records(world), query, present))),
    }),
    route({
      ...all,
      operationId: `create${name}`,
      method: 'post',
      summary: `Create a ${word}`,
      description: 'Checked as a fixture is.',
      body: { ...json, schema: create },
      replies: makes(`The ${word}.`, item),
      refusals: [...(refusals.create ?? []), 'exists', 'sandbox_full'],
      answer: async ({ body, c }) => {
        const made = present(await executeInWorld(c, (world) => add(world, order(body))))
        return created(`/sandbox/${path}/${made[field]}`, made)
      },
    }),
    route({
      ...one,
      operationId: `retrieve${name}`,
      method: 'get',
      summary: `Retrieve a ${word}`,
      description: 'As it stands.',
      replies: answers(`The ${word}.`, item),
      refusals: ['not_found'],
      answer: async ({ params, c }) => {
        const named = { field, id: String(params[field]) }
        return ok(present(await readInWorld(c, (world) => find(records(world), named))))
      },
    }),
    route({
      ...one,
      operationId: `change${name}`,
      method: 'patch',
      summary: `Change a ${word}`,
      description: 'A field that is absent stays as it is.',
      body: { ...json, schema: patch },
      replies: answers(`The ${word}.`, item),
      refusals: ['not_found', ...(refusals.change ?? [])],
      answer: async ({ params, body, c }) => {
        const changes = camelKeys(body)
        const id = String(params[field])
        return ok(present(await executeInWorld(c, (world) => alter(world, id, changes))))
      },
    }),
    route({
      ...one,
      operationId: `delete${name}`,
      method: 'delete',
      summary: `Delete a ${word}`,
      description: 'Refused while something refers to it.',
      replies: deletes,
      refusals: ['not_found', ...(refusals.delete ?? [])],
      answer: async ({ params, c }) => {
        await executeInWorld(c, (world) => remove(world, path, String(params[field])))
        return noContent()
      },
    }),
  ]
}
