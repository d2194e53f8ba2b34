/**
 * The rows of the table of pages, and how they are served. Owns that a refused form comes back as it was sent, with the
 * message of the sandbox beside its field, and that an accepted one leads to a page that can be loaded again.
 */
import type { Context, Hono } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { SandboxError } from '../../library/sandbox-error.ts'
import { holdMeter } from '../../world/hold-meter.ts'
import { emptyForm, type FormState, valuesOf } from '../ui/form-state.ts'
import { Layout } from '../ui/layout.tsx'
import type { Notice } from '../ui/notices.ts'
import { type PageContext, type View, withNotice } from '../ui/page-context.ts'

/** Shows a page; a response is served as it is. */
type Show = (page: PageContext, form: FormState) => View | Response | Promise<View | Response>

export interface PageRow {
  /** Shows the page, also after a refusal. */
  readonly show: Show
  /** Shows a refused form, if that is another page. */
  readonly showRefused?: Show
  /** Calls the sandbox. Returns the address to go to, or a view that is shown once and has no address. */
  readonly act?: (page: PageContext, form: FormState) => Promise<string | View>
  /** Whether forms are only sent to its path: opening it leads to the page above. */
  readonly hasNoPage?: true
}

/** Pages by their paths below the sandbox. */
export type PageTable = Readonly<Record<string, PageRow>>

/** An act of a form that leads to a page with a notice. */
export function leadingTo(
  path: string,
  did: Notice,
  act: (page: PageContext, form: FormState) => Promise<unknown>,
): NonNullable<PageRow['act']> {
  return async (page, form) => {
    await act(page, form)
    return withNotice(page.to(path), did)
  }
}

/** Serves pages; of two paths that match, the first does. */
export function servePages(app: Hono, table: PageTable): void {
  for (const [path, row] of Object.entries(table)) {
    const at = path === '' ? '' : `/${path}`
    const { show, act, showRefused = show } = row
    if (row.hasNoPage === undefined) {
      app.get(at, async (c) => respond(c, await show(c.get('page'), emptyForm)))
    }
    if (act !== undefined) app.post(at, (c) => submit(c, { act, showRefused }))
  }
}

async function submit(
  c: Context,
  { act, showRefused }: Required<Pick<PageRow, 'act' | 'showRefused'>>,
): Promise<Response> {
  const values = valuesOf(await formOf(c))
  const page = c.get('page')
  try {
    const done = await act(page, { values, refusal: null })
    return typeof done === 'string' ? c.redirect(done, 303) : await respond(c, done)
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error
    const view = await showRefused(page, { values, refusal: error })
    // What was typed must not be replaced by what the address shows.
    return respond(c, view instanceof Response ? view : { ...view, live: 'nothing' }, error.status)
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

function respond(c: Context, view: View | Response, status = 200): Response | Promise<Response> {
  if (view instanceof Response) return view
  holdMeter.mark(c.get('run'))
  return c.html(<Layout page={c.get('page')} view={view} />, status as ContentfulStatusCode)
}
