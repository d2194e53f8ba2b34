/**
 * The catalog of one sandbox: products, plans, customers, coupons and promotions, each with five operations: list, create,
 * retrieve, change, delete.
 */
import type * as z from 'zod'
import { endpoints, json, listParts, reply } from '../surface/declarations.ts'
import * as catalog from '../wire/billing/catalog.ts'
import * as coupons from '../wire/billing/coupon.ts'
import { type CamelKeys, camelKeys, presentAs } from '../wire/common/case.ts'
import type { Code } from '../wire/common/error-codes.ts'
import { searchIn } from '../wire/common/fields.ts'
import * as commands from '../world/commands/catalog.ts'
import type { Refusal } from '../world/refusal.ts'
import type { Success } from '../world/results.ts'
import type { World } from '../world/world.ts'
import { creations } from './creations.ts'
import { worldQuery, worldWrite } from './operation.ts'
import { findOne, readPage, searchPage } from './page.ts'

export const catalogOperations = [
  ...collectionOperations({
    path: 'products',
    name: 'Product',
    item: catalog.WireProduct,
    refusals: { delete: ['in_use'] },
    create: catalog.ProductCreate,
    patch: catalog.ProductPatch,
    records: ({ products }) => products,
    add: creations.products,
    alter: commands.changeProduct,
  }),
  ...collectionOperations({
    path: 'plans',
    name: 'Plan',
    item: catalog.WirePlan,
    refusals: { create: ['not_found'], delete: ['in_use'] },
    create: catalog.PlanCreate,
    patch: catalog.PlanPatch,
    records: ({ plans }) => plans,
    add: creations.plans,
    alter: commands.changePlanTerms,
  }),
  ...collectionOperations({
    path: 'customers',
    name: 'Customer',
    item: catalog.WireCustomer,
    refusals: { delete: ['in_use'] },
    create: catalog.CustomerCreate,
    patch: catalog.CustomerPatch,
    records: ({ customers }) => customers,
    search: {
      filter: searchIn('customers with this text in their identifier, name or e-mail address'),
      textsOf: ({ customerId, name, email }) => [customerId, name, email],
    },
    add: creations.customers,
    alter: commands.changeCustomer,
  }),
  ...collectionOperations({
    path: 'coupons',
    name: 'Coupon',
    item: coupons.WireCoupon,
    refusals: { create: ['not_found'], change: ['in_use'], delete: ['in_use'] },
    create: coupons.CouponCreate,
    patch: coupons.CouponPatch,
    records: (world) => world.coupons,
    add: creations.coupons,
    alter: commands.changeCoupon,
  }),
  ...collectionOperations({
    path: 'promotions',
    name: 'Promotion',
    item: coupons.WirePromotion,
    refusals: { create: ['not_found'], change: ['in_use'] },
    create: coupons.PromotionCreate,
    patch: coupons.PromotionPatch,
    records: ({ promotions }) => promotions,
    add: creations.promotions,
    alter: commands.changePromotion,
  }),
]

/** A record in code that has this shape on the wire. */
type RecordOf<Wire extends z.ZodObject> = CamelKeys<z.input<Wire>>

interface Collection<
  Name extends string,
  Wire extends z.ZodObject,
  Create extends z.ZodType,
  Patch extends z.ZodObject,
> {
  /** The last part of the path, and the collection of the world. */
  readonly path: commands.Deletable
  /** What one item is called in identifiers and in sentences: `Product`. */
  readonly name: Name
  readonly item: Wire
  /** How each can be refused for what it refers to, or what refers to it. */
  readonly refusals: { readonly [Each in 'create' | 'change' | 'delete']?: readonly Code[] }
  readonly create: Create
  readonly patch: Patch
  readonly records: (world: World) => ReadonlyMap<string, RecordOf<Wire>>
  /** What a search of the list finds records by. */
  readonly search?: {
    readonly filter: ReturnType<typeof searchIn>
    readonly textsOf: (record: RecordOf<Wire>) => readonly (string | null)[]
  }
  readonly add: (world: World, body: z.output<Create>) => Success<RecordOf<Wire>> | Refusal
  readonly alter: (
    world: World,
    id: string,
    patch: CamelKeys<z.output<Patch>>,
  ) => Success<RecordOf<Wire>> | Refusal
}

function collectionOperations<
  const Name extends string,
  Wire extends z.ZodObject,
  Create extends z.ZodType,
  Patch extends z.ZodObject,
>(collection: Collection<Name, Wire, Create, Patch>) {
  const { path, name, item, refusals, records, search } = collection
  const field = commands.idFields[path]
  const present = (record: RecordOf<Wire>) => presentAs(item, record)
  const word = name.toLowerCase()
  const declare = endpoints('Catalog')
  const all = `/sandbox/${path}` as const
  const one: `/sandbox/${string}/{${string}}` = `/sandbox/${path}/{${field}}`
  const replies = reply.ok(`The ${word}.`, item)
  return [
    worldQuery({
      ...declare.get(all, `list${name}s`),
      ...listParts(name, item, search?.filter ?? ({} as ReturnType<typeof searchIn>)),
      summary: `List ${word}s`,
      read: (world, query) => {
        if (search === undefined) return readPage(records(world), query, present)
        return searchPage(records(world), query, { present, textsOf: search.textsOf })
      },
    }),
    worldWrite({
      ...declare.post(all, `create${name}`),
      summary: `Create a ${word}`,
      description: `Creates a ${word}, which is checked as in a fixture.`,
      body: { ...json, schema: collection.create },
      replies: reply.created(`The ${word}.`, item),
      locatedBy: field,
      refusals: [...(refusals.create ?? []), 'exists', 'sandbox_full'],
      perform: (world, body) => collection.add(world, body as z.output<Create>),
      present,
    }),
    worldQuery({
      ...declare.get(one, `retrieve${name}`),
      summary: `Retrieve a ${word}`,
      description: `Returns the ${word} as it is now.`,
      replies,
      read: (world, named) => findOne(records(world), named, present),
    }),
    worldWrite({
      ...declare.patch(one, `change${name}`),
      summary: `Change a ${word}`,
      description: `Changes fields of the ${word}. An absent field is unchanged.`,
      body: { ...json, schema: collection.patch },
      replies,
      refusals: ['not_found', ...(refusals.change ?? [])],
      perform: (world, { [field]: id, ...changes }) =>
        collection.alter(world, String(id), camelKeys(changes) as CamelKeys<z.output<Patch>>),
      present,
    }),
    worldWrite({
      ...declare.remove(one, `delete${name}`),
      summary: `Delete a ${word}`,
      description: `Deletes the ${word}${refusals.delete ? '; refused while another record refers to it' : ''}.`,
      replies: reply.deleted(`The ${word} is deleted.`),
      refusals: ['not_found', ...(refusals.delete ?? [])],
      perform: (world, named) => commands.deleteRecord(world, path, String(named[field])),
      present: () => null,
    }),
  ]
}
