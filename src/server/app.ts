/** The app: every surface of one process. Owns no behaviour. */
import { type Context, Hono } from 'hono'
import { tokenHeader } from '../headers.ts'
import { authenticateClient, authenticateControl, findSandbox } from '../http/authentication.ts'
import { documentedPath } from '../http/base-address.ts'
import { guardToken } from '../http/control-token.ts'
import { controlEnvelope, errorEnvelope, problemEnvelope } from '../http/envelopes.ts'
import { allowOrigins, guardHost, guardWrites } from '../http/guard.ts'
import { logRequest } from '../http/log-request.ts'
import { answerUnserved, createAdmit, type Surface } from '../http/pipeline.ts'
import { type Observer, resetAssumptions, turnOf } from '../http/request/context.ts'
import { type Deviation, inForce } from '../http/request/deviation.ts'
import { requestIdOf } from '../http/request-id.ts'
import { addHeaders } from '../http/response-headers.ts'
import { methodNotAllowed, router, serveErrors } from '../http/router.ts'
import { v1Routes } from '../http/v1/routes.ts'
import type { OnCall } from '../provider/capture/captured-call.ts'
import type { Registry } from '../sandbox/registry.ts'
import { shorten } from '../surface/refusals.ts'
import { docsApp } from './docs.ts'
import { documentRoutes, healthRoutes } from './documents.ts'
import { loadLazily } from './lazily.ts'

export interface AppOptions {
  /** Host names that the server is started for, beside `localhost` and addresses. */
  readonly hosts?: readonly string[]
  /** Receives every answered request to a sandbox. */
  readonly observer?: Observer | undefined
  readonly onCall?: OnCall | undefined
  readonly deviation?: Deviation | undefined
  /** Origins of web pages that may use /v1 and the control plane. */
  readonly origins?: readonly string[]
  /** What calls of the control plane must carry; null for nothing. */
  readonly controlToken?: string | null
}

/** An app that serves every sandbox of a registry; `log` gets defects. */
export function createApp(
  registry: Registry,
  log: (line: string) => void,
  { hosts = [], origins = [], controlToken = null, observer, onCall, deviation }: AppOptions = {},
): Hono {
  const deviating = deviation && { deviation: inForce(deviation) }
  const admit = createAdmit({ registry, observer, onCall, ...deviating }, guardHost(hosts))
  const guardControl = guardToken(controlToken)
  const admitControl = (c: Context) => {
    admit(c)
    guardWrites(c, origins)
    guardControl(c)
  }
  const shared = {
    locate: findSandbox,
    report: (defect: unknown, c: Context) => log(lineOf(defect, c)),
  }
  const v1: Surface = {
    ...shared,
    prefixes: ['/v1'],
    admit: (c) => {
      resetAssumptions(c)
      admit(c)
    },
    authenticate: authenticateClient,
    settings: (c) => turnOf(c).settings,
    envelope: errorEnvelope,
    isDocumented: true,
  }
  const control: Surface = {
    ...shared,
    prefixes: ['/sandbox', '/sandboxes'],
    admit: admitControl,
    authenticate: authenticateControl,
    envelope: controlEnvelope,
  }
  const elsewhere: Surface = { ...shared, prefixes: [], admit, envelope: problemEnvelope }
  const app = new Hono({ getPath: documentedPath })
  // Nothing runs before a request that does not have to.
  if (origins.length > 0) {
    for (const path of ['/v1/*', '/sandbox/*', '/sandboxes/*']) app.use(path, allowOrigins(origins))
  }
  app.route('/', router(v1, v1Routes))
  app.route('/', router(elsewhere, [...healthRoutes(registry), ...documentRoutes]))
  const openExamples = loadLazily('examples', log, () => import('./examples.ts'))
  const makeExamples = async () =>
    (await openExamples()).makeExamples(app, registry, tokenHeader(controlToken))
  app.route('/', pagesApp(admit, makeExamples))
  const openDashboard = loadLazily('dashboard', log, async () => {
    const { dashboard } = await import('../dashboard/app.tsx')
    return dashboard({ answer: (request) => app.fetch(request), controlToken })
  })
  app.all('/dashboard/*', async (c) => {
    admitControl(c)
    return (await openDashboard()).fetch(c.req.raw, c.env)
  })
  const openControl = loadLazily('control plane', log, () => controlApp(control))
  for (const prefix of control.prefixes) {
    app.all(`${prefix}/*`, async (c) => (await openControl()).fetch(c.req.raw, c.env))
  }
  serveErrors(app, { surfaces: [v1, control], elsewhere, routes: v1Routes })
  return app
}

/** The control plane. Made at the first call to it: it is a third of the code, which a start can do without. */
async function controlApp(surface: Surface): Promise<Hono> {
  // Part by part: to load all of it at once would hold up other calls for longer than one may.
  await import('../wire/events/event-schema.ts')
  await import('../http/control/contracts.ts')
  await import('../http/control/state.ts')
  const { controlRoutes, brokerRest } = await import('../http/control/routes.ts')
  // Its calls make sandboxes of every fixture: loaded here, it holds up none of them.
  await import('../sandbox/perform-history.ts')
  const app = router(surface, controlRoutes)
  app.all(brokerRest.path, (c) => answerUnserved(c, brokerRest.refusal(c), surface))
  serveErrors(app, { surfaces: [], elsewhere: surface, routes: [...controlRoutes, ...v1Routes] })
  return app
}

/** Pages for people. They are not declared operations, so that the other steps of the pipeline are taken here. */
function pagesApp(admit: Surface['admit'], makeExamples: () => Promise<void>): Hono {
  const app = new Hono()
  app.on('ALL', ['/', '/docs/*'], async (c, next) => {
    admit(c)
    await next()
    // A refusal has its headers.
    if (c.res.headers.has('Request-Id')) return
    addHeaders(c, c.res)
    logRequest(c)
  })
  app.get('/', (c) => c.redirect('/dashboard'))
  // In 3.0, because Swagger UI takes several times as long to open an operation of a document in 3.1.
  const documents = [
    { name: 'The documented surface, /v1', url: '/openapi.json?version=3.0' },
    { name: 'The control plane, /sandbox', url: '/sandbox/openapi.json?version=3.0' },
  ]
  app.route('/', docsApp(documents, makeExamples))
  for (const page of app.routes.filter(({ method }) => method !== 'ALL')) {
    app.all(page.path, (c) => {
      throw methodNotAllowed(c, [page])
    })
  }
  return app
}

function lineOf(defect: unknown, c: Context): string {
  const why = defect instanceof Error ? defect.stack : String(defect)
  // A path may hold what would end the line.
  const path = shorten(c.req.path).replace(/\p{Cc}/gu, encodeURIComponent)
  return `${requestIdOf(c)} ${c.req.method} ${path}: ${why}`
}
