/**
 * The app: every surface of one process, mounted in the order in which they are asked. Owns no behaviour of its own.
 */
import { type Context, Hono } from 'hono'
import { controlDocument } from '../openapi/control.ts'
import { v1Document } from '../openapi/v1.ts'
import type { Registry } from '../sandbox/registry.ts'
import { VERSION } from '../version.ts'
import { reportAssumptions } from './assumptions.ts'
import { authenticateClient, findSandbox } from './auth.ts'
import { controlRoutes } from './control/routes.ts'
import { docs } from './docs.ts'
import { documentRoutes } from './documents.ts'
import { guardHost, guardWrites } from './guard.ts'
import { healthRoutes } from './health.ts'
import type { Declaration } from './operation.ts'
import { errorEnvelope, problemEnvelope } from './problem.ts'
import { notFound, openSurface, refuseWith, router, type Surface } from './router.ts'
import { requestIdOf, stamp } from './stamp.ts'
import { authRoutes } from './v1/auth.ts'
import { subscriptionRoutes } from './v1/subscriptions.ts'

export interface AppOptions {
  /** Host names that the server is started for, beside `localhost` and addresses. */
  readonly hosts?: readonly string[]
}

/** An app that serves every sandbox of a registry; `log` is told of defects. */
export function createApp(
  registry: Registry,
  log: (line: string) => void,
  { hosts = [] }: AppOptions = {},
): Hono {
  const report = (defect: unknown, c: Context) => log(lineOf(defect, c))
  const v1 = clientSurface(registry, report)
  const control = controlSurface(registry, report)
  const elsewhere = openSurface({ prefixes: [], envelope: problemEnvelope, report })
  const app = new Hono()
  app.use(stamp(registry, guardHost(hosts)))
  app.route('/', router(elsewhere, [...healthRoutes, ...documents]))
  app.route('/', docs([documentedSurface, controlPlane]))
  app.get('/', (c) => c.redirect('/docs'))
  app.route('/', router(v1, [...subscriptionRoutes, ...authRoutes]))
  app.use('/sandbox/*', guardWrites)
  app.use('/sandboxes/*', guardWrites)
  app.route('/', router(control, controlRoutes(registry)))
  app.notFound((c) => {
    throw notFound(c)
  })
  app.onError((error, c) => refuseWith(c, error, isClientPath(c.req.path) ? v1 : elsewhere))
  return app
}

const documentedSurface = { name: 'The documented surface, /v1', url: '/openapi.json' }
const controlPlane = { name: 'The control plane, /sandbox', url: '/sandbox/openapi.json' }

/** Shared: a process may run many apps, and the documents depend on none of them. */
const documents = [
  ...documentRoutes({ json: '/openapi.json', yaml: '/openapi.yaml' }, () => v1Document(VERSION)),
  ...documentRoutes({ json: '/sandbox/openapi.json' }, () => controlDocument(VERSION)),
]

function clientSurface(registry: Registry, report: Surface['report']): Surface {
  return {
    prefixes: ['/v1'],
    prepare: reportAssumptions,
    authenticate: authenticateClient(registry),
    settings: (c) => c.get('sandbox').settings,
    envelope: errorEnvelope,
    report,
  }
}

/** The operations on sandboxes ask for none: the one that a header names may be the one to be made. */
function controlSurface(registry: Registry, report: Surface['report']): Surface {
  const find = findSandbox(registry)
  const authenticate = async (c: Context, { path }: Declaration) => {
    if (!path.startsWith('/sandboxes')) await find(c)
  }
  const prefixes = ['/sandbox', '/sandboxes'] as const
  return openSurface({ prefixes, authenticate, envelope: problemEnvelope, report })
}

function isClientPath(path: string): boolean {
  return path === '/v1' || path.startsWith('/v1/')
}

function lineOf(defect: unknown, c: Context): string {
  const why = defect instanceof Error ? defect.stack : String(defect)
  return `${requestIdOf(c)} ${c.req.method} ${c.req.path}: ${why}`
}
