/**
 * The dashboard: pages under /dashboard for people. A client of the server that it belongs to: whatever it shows or
 * changes goes through the operations that programs use, so that it cannot know or do more than they.
 */
import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { methodNotAllowed } from 'hono/method-not-allowed'
import { matchedRoutes } from 'hono/route'
import { secureHeaders } from 'hono/secure-headers'
import { tokenHeader } from '../headers.ts'
import { SandboxError } from '../library/sandbox-error.ts'
import { holdMeter } from '../world/hold-meter.ts'
import { assetRoutes } from './assets.ts'
import { type PageTable, servePages } from './page-kinds/page-row.tsx'
import { pageTable } from './pages.ts'
import { Document, Layout } from './ui/layout.tsx'
import { addressOf, HOME, openPage, type PageContext, type Reach } from './ui/page-context.ts'

/** Nothing from elsewhere, nothing inline, and no form to elsewhere. */
const contentSecurityPolicy = {
  defaultSrc: ["'none'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'"],
  imgSrc: ["'self'"],
  connectSrc: ["'self'"],
  formAction: ["'self'"],
  baseUri: ["'none'"],
  frameAncestors: ["'none'"],
}

/** The most bytes of a form: a pact of the size that the sandbox takes, and what is around it. */
const FORM_BYTES = 17 * 1024 * 1024

/** An app that serves pages of every sandbox; mount it at the root. */
export function dashboard(reach: Reach, pages: PageTable = pageTable): Hono {
  const app = new Hono()
  app.use(
    secureHeaders({
      contentSecurityPolicy,
      referrerPolicy: 'same-origin',
      strictTransportSecurity: false,
    }),
  )
  app.use('/dashboard/*', async (c, next) => {
    const run = holdMeter.begin(`${c.req.method} ${matchedRoutes(c).at(-1)?.path}`)
    c.set('run', run)
    // Pages show what is now, also to those who go back to them.
    c.header('Cache-Control', 'no-store')
    await next()
    holdMeter.end(run)
  })
  const refuseMethod = (c: Context, methods: readonly string[]) => {
    c.header('Allow', methods.join(', '))
    return errorPage(c, 405, `${c.req.path} takes ${methods.join(', ')}; got ${c.req.method}.`)
  }
  app.use(methodNotAllowed({ app, onMethodNotAllowed: refuseMethod }))
  app.route('/', assetRoutes())
  for (const path of ['/dashboard', '/dashboard/']) app.get(path, (c) => c.redirect(HOME))
  app.get('/dashboard/:sandbox', (c) => c.redirect(addressOf(c.req.param('sandbox'))))
  const tooLarge = (c: Context) => errorPage(c, 413, `A form may have at most ${FORM_BYTES} bytes.`)
  app.use('/dashboard/:sandbox/*', bodyLimit({ maxSize: FORM_BYTES, onError: tooLarge }))
  app.get('/dashboard/:sandbox/now', (c) => summaryOf(reach, c))
  app.use('/dashboard/:sandbox/*', openPage(reach))
  servePages(app.basePath('/dashboard/:sandbox'), pages)
  app.notFound((c) => errorPage(c, 404, `There is no page ${c.req.path}.`))
  app.onError((error, c) => {
    // The visitor has left, and the calls for the page were given up.
    if (c.req.raw.signal.aborted) return c.body(null, 408)
    if (!(error instanceof SandboxError)) throw error
    return errorPage(c, error.status, error.message)
  })
  return app
}

/** What the server says of a sandbox, also to a browser without the control token. Calls of the sandbox wait for a move. */
function summaryOf({ answer, controlToken }: Reach, { req }: Context) {
  const { href } = new URL(`/sandboxes/${encodeURIComponent(req.param('sandbox') ?? '')}`, req.url)
  return answer(new Request(href, { headers: tokenHeader(controlToken) }))
}

const titles: Record<number, string> = { 404: 'Not found', 413: 'Too large', 415: 'Not a form' }

/** A page that says what is wrong, in the words of the sandbox; in the layout of its sandbox, if that was opened. */
function errorPage(c: Context, status: number, message: string): Response | Promise<Response> {
  const title = titles[status] ?? (status < 500 ? 'Refused' : 'Problem of the server')
  const page: PageContext | undefined = c.get('page')
  const body = [
    <h1>{title}</h1>,
    <p>{message}</p>,
    status >= 500 && <p>This is not a problem of what you entered.</p>,
  ]
  c.status(status as 404)
  // A record may be made again.
  const live = status === 404 && c.req.method === 'GET' ? 'changes' : 'nothing'
  if (page !== undefined)
    return c.html(<Layout page={page} view={{ title, body, live }} done={null} />)
  return c.html(
    <Document title={`${title} – subscription-sandbox`} live={null}>
      <main id="main" class="alone" tabindex={-1}>
        {body}
        <p>
          <a href={HOME}>To the sandbox “default”</a>
        </p>
      </main>
    </Document>,
  )
}
