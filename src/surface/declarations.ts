/** The shared parts of control plane declarations. */
import * as z from 'zod'
import { PageQuery, pageOf, Reference } from '../wire/common/fields.ts'
import { type Declaration, pathParametersOf } from './operation.ts'

/** The interface documents nothing on the control plane, and no call there needs a key. */
export const controlPlane = { source: 'sandbox', security: 'none' } as const

type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never

/** Parameters of paths that are not the identifier of what they end with. */
const parameterTexts: Readonly<Record<string, string>> = {
  branch: 'The name of the branch.',
  code: 'The code of the promotion.',
  consumer: 'The name of the consumer.',
  file: 'The path of the pact in contracts/pacts, with each slash written `%2F`.',
  name: 'The name of the checkpoint.',
  pacticipant: 'The name of the consumer or provider.',
  provider: 'The name of the provider.',
  tag: 'The name of the tag.',
  version: 'The version of the consumer.',
}

/** What follows from parameters in a path: each is an identifier, and what it names may not exist. */
type Naming<Path extends string> = [NamesIn<Path>] extends [never]
  ? object
  : {
      readonly params: z.ZodObject<{ [Name in NamesIn<Path>]: typeof Reference }>
      readonly refusals: readonly ['not_found']
    }

/**
 * The beginnings of the declarations below one tag of the control plane, by method: each with its path and its id. An
 * operation with other parameters than identifiers, or with other refusals, declares them after it.
 */
export function endpoints(
  tag: string,
  source = controlPlane.source as string,
  identifier = Reference,
) {
  const by =
    <const Verb extends Declaration['method']>(method: Verb) =>
    <const Path extends `/${string}`, const Id extends string>(path: Path, operationId: Id) => {
      return {
        ...controlPlane,
        tag,
        source,
        method,
        path,
        operationId,
        ...pathParts(path, identifier),
      }
    }
  return {
    ...{ get: by('get'), post: by('post'), put: by('put') },
    ...{ patch: by('patch'), remove: by('delete') },
  }
}

function pathParts<Path extends string>(path: Path, identifier: typeof Reference): Naming<Path> {
  const names = pathParametersOf(path)
  if (names.length === 0) return {} as Naming<Path>
  const described = names.map((name) => {
    const text = parameterTexts[name] ?? `The identifier of the ${name.replace(/_id$/, '')}.`
    return [name, identifier.describe(text)] as const
  })
  const params = z.strictObject(Object.fromEntries(described))
  // The type reads the names of the path as the function does.
  return { params, refusals: ['not_found'] } as unknown as Naming<Path>
}

/** Bodies of the control plane are JSON. */
export const json = { media: ['json'], required: true } as const

/** The header with the path of a new record. */
export const location = {
  description: 'The path at which the new record can be retrieved.',
  schema: z.string().meta({ format: 'uri-reference' }),
  source: 'sandbox',
} as const

/** The reply 200 with one thing. */
function okReply<Schema extends z.ZodType>(description: string, schema: Schema) {
  return { 200: { description, schema, source: 'sandbox' } } as const
}

/** The replies that operations declare, by what they answer. */
export const reply = {
  ok: okReply,
  created: <Schema extends z.ZodType>(description: string, schema: Schema) => {
    const headers = { Location: location }
    return { 201: { description, schema, source: 'sandbox', headers } } as const
  },
  deleted: (description: string) =>
    ({ 204: { description, schema: null, source: 'sandbox' } }) as const,
  page: <Item extends z.ZodType>(name: string, item: Item) =>
    okReply(`One page of ${name} records.`, pageOf(name, item, z.string())),
}

/** What lists of records have in common: pages of them, which a filter may choose from. */
export function listParts<
  Item extends z.ZodType,
  Filter extends z.ZodRawShape = Record<never, never>,
>(name: string, item: Item, filter = {} as Filter) {
  return {
    description: 'Lists the records, by default the oldest first.',
    query: PageQuery.extend(filter),
    replies: reply.page(name, item),
  } as const
}
