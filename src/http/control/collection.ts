/** The five operations that every collection of the catalog has: list, create, retrieve, change, delete. */
import * as z from 'zod'
import { created, noContent, ok, type Route, route } from '../../surface/operation.ts'
import { PageQuery, Reference } from '../../wire/fields.ts'
import { type Executed, find } from '../../world/answer.ts'
import { type Deletable, remove } from '../../world/commands/catalog.ts'
import type { Refusal } from '../../world/refusal.ts'
import type { World } from '../../world/world.ts'
import { answers, controlPlane, executeInWorld, json, pages, readWorld, takePage } from './calls.ts'

/** In what one collection differs from another. */
export interface Collection<Value, Wire extends object, Create, Patch> {
  /** The last part of the path, and the collection of the world. */
  readonly path: Deletable
  /** What one item is called in identifiers and in sentences: `Product`. */
  readonly name: string
  /** The field that identifies an item. */
  readonly id: string & keyof Wire
  readonly item: z.ZodType<unknown, Wire>
  readonly create: z.ZodType<Create>
  readonly patch: z.ZodType<Patch>
  readonly records: (world: World) => ReadonlyMap<string, Value>
  readonly add: (world: World, body: Create) => Executed<Value> | Refusal
  readonly alter: (world: World, id: string, patch: Patch) => Executed<Value> | Refusal
  readonly present: (value: Value) => Wire
}

/** The operations of a collection. */
export function collectionRoutes<Value, Wire extends object, Create, Patch>(
  collection: Collection<Value, Wire, Create, Patch>,
): Route[] {
  const { path, name, id: field, item, create, patch, records, add, alter, present } = collection
  const word = name.toLowerCase()
  const all = { ...controlPlane, path: `/sandbox/${path}`, tag: 'Catalog' } as const
  const params = z.strictObject({ [field]: Reference })
  const one = { ...all, path: `/sandbox/${path}/{${field}}`, params } as const
  const description = `The ${word}.`
  const idIn = (named: Readonly<Record<string, string>>) => named[field] ?? ''
  return [
    route(
      {
        ...all,
        operationId: `list${name}s`,
        method: 'get',
        summary: `List ${word}s`,
        description: 'Oldest first.',
        query: PageQuery,
        replies: pages(name, item),
      },
      async ({ query, c }) =>
        ok(await readWorld(c, (world) => takePage(records(world), query, { present }))),
    ),
    route(
      {
        ...all,
        operationId: `create${name}`,
        method: 'post',
        summary: `Create a ${word}`,
        description: 'Checked as a fixture is.',
        body: { ...json, schema: create },
        replies: { 201: { description, schema: item, source: 'sandbox' } },
        refusals: ['not_found', 'exists', 'sandbox_full'],
      },
      async ({ body, c }) => {
        const made = present(await executeInWorld(c, (world) => add(world, body)))
        return created(`/sandbox/${path}/${made[field]}`, made)
      },
    ),
    route(
      {
        ...one,
        operationId: `retrieve${name}`,
        method: 'get',
        summary: `Retrieve a ${word}`,
        description: 'As it stands.',
        replies: answers(description, item),
        refusals: ['not_found'],
      },
      async ({ params, c }) => {
        const named = { field, id: idIn(params) }
        return ok(present(await readWorld(c, (world) => find(records(world), named))))
      },
    ),
    route(
      {
        ...one,
        operationId: `change${name}`,
        method: 'patch',
        summary: `Change a ${word}`,
        description: 'A field that is absent stays as it is.',
        body: { ...json, schema: patch },
        replies: answers(description, item),
        refusals: ['not_found', 'in_use'],
      },
      async ({ params, body, c }) =>
        ok(present(await executeInWorld(c, (world) => alter(world, idIn(params), body)))),
    ),
    route(
      {
        ...one,
        operationId: `delete${name}`,
        method: 'delete',
        summary: `Delete a ${word}`,
        description: 'Refused while something refers to it.',
        replies: { 204: { description: 'It is gone.', schema: null, source: 'sandbox' } },
        refusals: ['not_found', 'in_use'],
      },
      async ({ params, c }) => {
        await executeInWorld(c, (world) => remove(world, path, idIn(params)))
        return noContent()
      },
    ),
  ]
}
