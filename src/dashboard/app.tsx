/**
 * The dashboard: pages under /dashboard for people. A client of the server that it belongs to: whatever it shows or
 * changes goes through the operations that programs use, so that it cannot know or do more than they.
 */
import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { secureHeaders } from 'hono/secure-headers'
import { SandboxError } from '../library/sandbox-error.ts'
import { assetRoutes } from './assets.ts'
import { livePages } from './pages/live.ts'
import { allPages } from './pages/pages.ts'
import { Document } from './ui/layout.tsx'
import { openVisit, type Reach } from './visit.ts'

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

/** An app that serves the pages of every sandbox; mount it at the root. */
export function dashboard(reach: Reach): Hono {
  const app = new Hono()
  app.use(
    secureHeaders({
      contentSecurityPolicy,
      referrerPolicy: 'same-origin',
      strictTransportSecurity: false,
    }),
  )
  app.use('/dashboard/:sandbox/*', async (c, next) => {
    // Pages show what is now, also to those who go back to them.
    c.header('Cache-Control', 'no-store')
    await next()
  })
  app.route('/', assetRoutes())
  app.get('/dashboard', (c) => c.redirect('/dashboard/default/'))
  app.get('/dashboard/:sandbox', (c) => c.redirect(`/dashboard/${c.req.param('sandbox')}/`))
  app.use('/dashboard/:sandbox/*', bodyLimit({ maxSize: FORM_BYTES, onError: tooLarge }))
  app.use('/dashboard/:sandbox/*', openVisit(reach))
  const pages = app.basePath('/dashboard/:sandbox')
  livePages(pages)
  for (const add of allPages) add(pages)
  app.notFound((c) => failure(c, 404, `There is no page ${c.req.path}.`))
  app.onError((error, c) => {
    // Whoever asked has left, and what was asked for them was given up.
    if (c.req.raw.signal.aborted) return c.body(null, 408)
    if (!(error instanceof SandboxError) || error.status >= 500) throw error
    return failure(c, error.status, error.message)
  })
  return app
}

function tooLarge(c: Context) {
  return failure(c, 413, `A form may have at most ${FORM_BYTES} bytes.`)
}

/** A page that says what is wrong, in the words of the sandbox. */
function failure(c: Context, status: number, message: string): Response | Promise<Response> {
  const body = (
    <Document title="Not found – subscription-sandbox" live={null}>
      <main id="main" class="alone" tabindex={-1}>
        <h1>{status === 404 ? 'Not found' : 'Refused'}</h1>
        <p>{message}</p>
        <p>
          <a href="/dashboard/default/">To the sandbox “default”</a>
        </p>
      </main>
    </Document>
  )
  c.status(status as 404)
  return c.html(body)
}
