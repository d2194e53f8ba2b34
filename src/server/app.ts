/** The app: every surface of one process. Owns no behaviour of its own. */
import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { reportAssumptions } from '../http/assumptions.ts'
import { authenticateClient, sandboxFor } from '../http/authentication.ts'
import { guardToken, tokenHeader } from '../http/control-token.ts'
import { errorEnvelope, problemEnvelope } from '../http/envelopes.ts'
import { guardHost, guardWrites, shareWith } from '../http/guard.ts'
import type { Observer } from '../http/noted-request.ts'
import { openSurface, refuseRest, router, type Surface } from '../http/router.ts'
import { type Prepare, prepareRequest, requestIdOf, stamp } from '../http/stamp.ts'
import { faultsAt } from '../http/v1/faults.ts'
import { v1Routes } from '../http/v1/routes.ts'
import { variedAnswer } from '../http/v1/variation.ts'
import type { Registry } from '../sandbox/registry.ts'
import type { Declaration } from '../surface/operation.ts'
import { RefusalError, shortened } from '../surface/refusals.ts'
import { docs } from './docs.ts'
import { documentRoutes } from './documents.ts'
import { healthRoutes } from './health.ts'
import { lazily } from './lazily.ts'

export interface AppOptions {
  /** Host names that the server is started for, beside `localhost` and addresses. */
  readonly hosts?: readonly string[]
  /** Is told of every answered request to a sandbox. */
  readonly observer?: Observer | undefined
  /** Origins of web pages that may use /v1 and the control plane. */
  readonly origins?: readonly string[]
  /** What calls of the control plane must carry; null for nothing. */
  readonly controlToken?: string | null
}

/** An app that serves every sandbox of a registry; `log` gets defects. */
export function createApp(
  registry: Registry,
  log: (line: string) => void,
  { hosts = [], origins = [], controlToken = null, observer }: AppOptions = {},
): Hono {
  const parts = {
    registry,
    prepare: prepareRequest({ registry, observer }, guardHost(hosts)),
    guardControl: guardToken(controlToken),
    origins,
    report: (defect: unknown, c: Context) => log(lineOf(defect, c)),
  }
  const v1 = clientSurface(parts)
  const control = controlSurface(parts)
  const { prepare, report } = parts
  const locate = locateIn(registry)
  const elsewhere = openSurface({
    prefixes: [],
    prepare,
    locate,
    envelope: problemEnvelope,
    report,
  })
  const app = new Hono()
  // Nothing runs before a request that does not have to.
  if (origins.length > 0) {
    for (const path of ['/v1/*', '/sandbox/*', '/sandboxes/*']) app.use(path, shareWith(origins))
  }
  app.route('/', router(v1, v1Routes))
  app.route('/', router(elsewhere, [...healthRoutes(registry), ...documentRoutes]))
  const openExamples = lazily('examples', log, () => import('./examples.ts'))
  const makeExamples = async () =>
    (await openExamples()).makeExamples(app, registry, tokenHeader(controlToken))
  app.route('/', pages(parts.prepare, makeExamples))
  const openDashboard = lazily('dashboard', log, async () => {
    const { dashboard } = await import('../dashboard/app.tsx')
    return dashboard({ answer: (request) => app.fetch(request), controlToken })
  })
  for (const path of ['/dashboard', '/dashboard/*']) {
    app.all(path, guardPages(parts), async (c) => (await openDashboard()).fetch(c.req.raw, c.env))
  }
  const openControl = lazily('control plane', log, () => controlApp(control))
  for (const prefix of control.prefixes) {
    app.all(`${prefix}/*`, async (c) => (await openControl()).fetch(c.req.raw, c.env))
  }
  refuseRest(app, [v1, control], elsewhere)
  return app
}

/** The control plane. Made at the first call to it: it is a third of the code, which a start can do without. */
async function controlApp(surface: Surface): Promise<Hono> {
  const { controlRoutes } = await import('../http/control/routes.ts')
  const app = router(surface, controlRoutes)
  refuseRest(app, [], surface)
  return app
}

/** What people see and change of the control plane is guarded as that is. */
function guardPages({ prepare, guardControl, origins }: SurfaceParts): MiddlewareHandler {
  return (c, next) => {
    prepare(c)
    guardWrites(c, origins)
    guardControl(c)
    return next()
  }
}

/** What is for people. */
function pages(prepare: Prepare, makeExamples: () => Promise<void>): Hono {
  const app = new Hono()
  for (const path of ['/', '/docs', '/docs/*']) app.use(path, stamp(prepare))
  app.get('/', (c) => c.redirect('/dashboard'))
  app.route('/', docs([documentedSurface, controlPlane], makeExamples))
  return app
}

// In 3.0, because Swagger UI takes several times as long to open an operation of a document in 3.1.
const documentedSurface = {
  name: 'The documented surface, /v1',
  url: '/openapi.json?version=3.0',
}
const controlPlane = {
  name: 'The control plane, /sandbox',
  url: '/sandbox/openapi.json?version=3.0',
}

/** What the surfaces of one app have in common. */
interface SurfaceParts {
  readonly registry: Registry
  readonly prepare: Prepare
  /** Refuses calls of the control plane that lack its token. */
  readonly guardControl: (c: Context) => void
  readonly origins: readonly string[]
  readonly report: Surface['report']
}

function clientSurface({ registry, prepare, report }: SurfaceParts): Surface {
  return {
    prefixes: ['/v1'],
    prepare: (c) => {
      reportAssumptions(c)
      prepare(c)
    },
    authenticate: authenticateClient(registry),
    locate: locateIn(registry),
    settings: (c) => c.get('sandbox').settings,
    envelope: errorEnvelope,
    vary: variedAnswer,
    faults: faultsAt,
    report,
  }
}

/** The operations on sandboxes ask for none: the one that a header names may be the one to be made. */
function controlSurface(parts: SurfaceParts): Surface {
  const { registry, prepare, guardControl, origins, report } = parts
  const authenticate = async (c: Context, { path }: Declaration) => {
    if (path.startsWith('/sandboxes')) return
    const sandbox = await sandboxFor(registry, c)
    if (sandbox instanceof RefusalError) throw sandbox
    c.set('sandbox', sandbox)
  }
  return openSurface({
    prefixes: ['/sandbox', '/sandboxes'],
    prepare: (c) => {
      prepare(c)
      guardWrites(c, origins)
      guardControl(c)
    },
    authenticate,
    locate: locateIn(registry),
    envelope: problemEnvelope,
    report,
  })
}

/** Finds the sandbox of a request that no operation fits; the default one where it names none. */
function locateIn(registry: Registry): NonNullable<Surface['locate']> {
  return async (c) => {
    const sandbox = await sandboxFor(registry, c)
    if (!(sandbox instanceof RefusalError)) c.set('sandbox', sandbox)
  }
}

function lineOf(defect: unknown, c: Context): string {
  const why = defect instanceof Error ? defect.stack : String(defect)
  // A path may hold what would end the line.
  const path = shortened(c.req.path).replace(/\p{Cc}/gu, encodeURIComponent)
  return `${requestIdOf(c)} ${c.req.method} ${path}: ${why}`
}
