/**
 * Pages and forms: how one is answered. Owns that a form which is refused comes back as it was sent, with what the
 * sandbox says beside its field, and that one which is accepted leads to a page that can be loaded again.
 */
import type { Context, Handler, Hono } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { SandboxError } from '../library/sandbox-error.ts'
import { holdMeter } from '../world/hold-meter.ts'
import { nothingSent, type Sent, valuesOf } from './sent.ts'
import { Layout } from './ui/layout.tsx'
import type { Notice } from './ui/notices.ts'
import type { View } from './view.ts'
import type { Visit } from './visit.ts'

type Show = (visit: Visit) => View | Promise<View>

interface FormHandlers {
  /** Calls the sandbox, and answers where to go then, or what is shown once and has no address. */
  readonly act: (visit: Visit, sent: Sent) => Promise<string | View>
  /** Shows the form, again where it was refused. */
  readonly show: (visit: Visit, sent: Sent) => View | Promise<View>
}

/** Adds a page with a form that is sent to the address of the page. */
export function addForm(pages: Hono, path: string, handlers: FormHandlers): void {
  pages.get(path, formPage(handlers.show))
  pages.post(path, submit(handlers))
}

/** Answers a page. */
export function page(show: Show): Handler {
  return async (c) => respond(c, await show(c.get('visit')))
}

/** Answers a page with a form in it, before anything was sent. */
export function formPage(show: FormHandlers['show']): Handler {
  return page((visit) => show(visit, nothingSent))
}

/** Takes what a form sends. */
export function submit({ act, show }: FormHandlers): Handler {
  return async (c) => {
    const values = valuesOf(await formOf(c))
    const visit = c.get('visit')
    try {
      const done = await act(visit, { values, refusal: null })
      return typeof done === 'string' ? c.redirect(done, 303) : await respond(c, done)
    } catch (error) {
      if (!(error instanceof SandboxError)) throw error
      const view = await show(visit, { values, refusal: error })
      // What was typed must not be replaced by what the address shows.
      return respond(c, { ...view, live: 'nothing' }, error.status)
    }
  }
}

async function formOf({ req }: Context): Promise<FormData> {
  const type = req.header('content-type') ?? ''
  if (/^(?:application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(type)) {
    return req.formData()
  }
  throw new SandboxError(
    `The body must be a form, as application/x-www-form-urlencoded or multipart/form-data; got ${JSON.stringify(type)}.`,
    { status: 415, code: 'unsupported_media_type', fields: [] },
  )
}

/** The address of a page that says what was done. */
export function withNotice(address: string, did: Notice): string {
  return `${address}${address.includes('?') ? '&' : '?'}did=${did}`
}

async function respond(c: Context, view: View, status = 200): Promise<Response> {
  const visit = c.get('visit')
  holdMeter.mark(c.get('run'))
  return c.html(<Layout visit={visit} view={view} />, status as ContentfulStatusCode)
}
