/** Routing: which declared operation serves a path and method, and the refusal where no operation does. */
import { type Context, Hono } from 'hono'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { Route } from '../surface/operation.ts'
import { printValue, RefusalError } from '../surface/refusals.ts'
import { documentedPath } from './base-address.ts'
import { nearestOperation } from './nearest-operation.ts'
import { answerError, answerUnserved, type Surface, serve } from './pipeline.ts'

/** An app that serves these operations, and refuses other methods at their paths. */
export function router(surface: Surface, routes: readonly Route[]): Hono {
  const app = new Hono({ getPath: documentedPath })
  for (const [path, served] of byPath(routes)) {
    const own = path.replace(/\{(\w+)\}/g, ':$1')
    const paths = served.some(({ trailingSlash }) => trailingSlash) ? [own, `${own}/`] : [own]
    app.on('ALL', paths, (c) => {
      // HEAD is answered as GET; Hono leaves the body out.
      const method = c.req.method === 'HEAD' ? 'GET' : c.req.method
      const route = served.find((each) => each.method.toUpperCase() === method)
      return route === undefined
        ? answerUnserved(c, methodNotAllowed(c, served), surface)
        : serve(c, route, surface)
    })
  }
  return app
}

interface ErrorRouting {
  readonly surfaces: readonly Surface[]
  readonly elsewhere: Surface
  /** What a path that does not exist may have meant. */
  readonly routes: readonly Route[]
}

/** Refuses what no handler of an app serves, on the surface that owns the path. */
export function serveErrors(app: Hono, { surfaces, elsewhere, routes }: ErrorRouting): void {
  const at = (path: string) =>
    surfaces.find(({ prefixes }) => prefixes.some((each) => `${path}/`.startsWith(`${each}/`))) ??
    elsewhere
  app.notFound((c) => answerUnserved(c, notFound(c, routes), at(c.req.path)))
  app.onError((error, c) => {
    // What fails before a surface has received the request, such as loading it.
    const isReceived = (c.get('sandbox') as Sandbox | undefined) !== undefined
    return (isReceived ? answerError : answerUnserved)(c, error, at(c.req.path))
  })
}

/** In how many characters a path may differ from the one that it is taken to mean: as many as `/v1` has. */
const NEAR_MAX = 3

/** Where a client looks for what is not below /v1, nor below the base address of a sandbox. */
function addedText(path: string): string {
  if (/^\/sandboxes\/[^/]+\//.test(path))
    return '; below the base address of a sandbox are /v1 and /provider-states; all else is below /sandbox, with the header Sandbox-Id'
  return path.includes('/v1/')
    ? '; what the sandbox adds to the documented operations, such as lists and resume, is below /sandbox'
    : ''
}

function notFound(c: Context, routes: readonly Route[]): RefusalError {
  const { method, path } = c.req
  // What is documented is looked for on the control plane too.
  const [nearest] = [path, path.replace(/^\/sandbox\//, '/v1/')]
    .flatMap((each) => nearestOperation({ method, path: each }, routes) ?? [])
    .filter(({ operation, isMethod }) => isMethod || !operation.path.includes('{'))
    .sort((one, other) => one.away - other.away)
  const isNear = nearest !== undefined && nearest.away <= NEAR_MAX
  const guess = isNear ? `; did you mean ${nearest.operation.path}? ` : `${addedText(path)}; `
  return new RefusalError(
    'not_found',
    `path ${printValue(path)} does not exist${guess}/openapi.yaml and /sandbox/openapi.json list the paths.`,
  )
}

export function methodNotAllowed(
  c: Context,
  served: readonly { readonly method: string }[],
): RefusalError {
  const methods = served.map(({ method }) => method.toUpperCase())
  const names = methods.includes('GET') ? [...methods, 'HEAD'] : methods
  const allowed = names.sort().join(', ')
  const rule = names.length === 1 ? allowed : `one of ${allowed}`
  const added = c.req.method === 'GET' ? addedText(c.req.path) : ''
  return new RefusalError(
    'method_not_allowed',
    `method of ${printValue(c.req.path)} must be ${rule}; got ${printValue(c.req.method)}${added}.`,
    { headers: { Allow: allowed } },
  )
}

/** Routes by path, fixed segments before parameters, so that `/contracts/check` is never read as a file. */
function byPath(routes: readonly Route[]): [string, Route[]][] {
  const paths = new Map<string, Route[]>()
  for (const each of routes) paths.set(each.path, [...(paths.get(each.path) ?? []), each])
  const rank = (path: string) => path.replaceAll('{', '\uffff')
  return [...paths].sort(([one], [other]) => (rank(one) < rank(other) ? -1 : 1))
}
