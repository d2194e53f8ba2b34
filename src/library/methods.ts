/** The methods that call one operation each, made from the table of names; their types are generated from the same table. */
import type { SandboxMethods } from '../generated/methods.ts'
import { type CalledOperation, calledOperations } from '../generated/operations.ts'
import { operationNames } from '../operations/names.ts'
import { methodsIn, type NameTable } from '../operations/naming.ts'
import { argumentError, assertKnown, requireObject } from './sandbox-error.ts'
import { listAll, pathParameters, type Transport } from './transport.ts'

type Method = (...args: unknown[]) => Promise<unknown>
type Methods = Record<string, Method | Record<string, Method>>

export function sandboxMethods(transport: Transport): SandboxMethods {
  const methods = methodsFor(operationNames, calledOperations, transport)
  return methods as unknown as SandboxMethods
}

/** Methods by their names, in groups: `subscriptions.create` is `create` of `subscriptions`. */
export function methodsFor(
  names: NameTable,
  operations: Readonly<Record<string, CalledOperation>>,
  transport: Pick<Transport, 'call'>,
): Methods {
  const groups: Record<string, Record<string, Method>> = {}
  for (const [name, operationId] of methodsIn('library', names)) {
    const operation = operations[operationId]
    if (operation === undefined) throw new Error(`${operationId} is named and not declared`)
    const [verb = '', group = ''] = name.split('.').reverse()
    groups[group] = { ...groups[group], [verb]: methodOf(operation, transport) }
  }
  const { '': own, ...others } = groups
  return { ...own, ...others }
}

/** An argument that may be left out, for callers without types; spread, a text or a number would say something else. */
function optionalObject(name: string, value: unknown): object | undefined {
  return value === undefined ? value : requireObject(name, value as object)
}

const NO_LIMIT =
  'limit is not a known field: a list of the library has all records. For one page, send the request with fetch.'

/** Takes the parameters of the path, then the body, then the query; a list is read page after page. */
function methodOf(operation: CalledOperation, { call }: Pick<Transport, 'call'>): Method {
  const { path, takesBody, takesQuery, pageLimit: limit } = operation
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  return async (...args) => {
    const ids = inPath.map((name, index) => [name, args[index]])
    const rest = args.slice(inPath.length)
    const body = takesBody ? optionalObject('body', rest.shift()) : undefined
    const query = takesQuery ? optionalObject('query', rest.shift()) : undefined
    const parts = { ...pathParameters(Object.fromEntries(ids)), body, query }
    const isPage = limit !== undefined && Object(query).limit !== undefined
    if (isPage) throw argumentError('limit', NO_LIMIT)
    assertKnown(query ?? {}, takesQuery ?? [])
    if (limit === undefined) return call(operation, parts)
    return listAll((cursor) => call(operation, { ...parts, query: { ...query, limit, ...cursor } }))
  }
}
