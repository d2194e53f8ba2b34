/**
 * The rows of the table of pages, and how they are served. Owns that a refused form comes back as it was sent, with the
 * message of the sandbox beside its field, and that an accepted one leads to a page that can be loaded again.
 */
import { setTimeout as after } from 'node:timers/promises'
import type { Context, Hono } from 'hono'
import { raw } from 'hono/html'
import type { Child } from 'hono/jsx'
import { stream } from 'hono/streaming'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { SandboxError } from '../../library/sandbox-error.ts'
import { holdMeter } from '../../world/hold-meter.ts'
import { lastMoveText } from '../acts/clock-moves.ts'
import { PostButton, Refused } from '../forms/form.tsx'
import { emptyForm, type FormValues, valuesOf } from '../ui/form-state.ts'
import { Layout, Working } from '../ui/layout.tsx'
import { Paragraph, prose } from '../ui/links.tsx'
import type { Notice } from '../ui/notices.ts'
import {
  CurrentPage,
  type PageContext,
  type View,
  withForm,
  withNotice,
} from '../ui/page-context.ts'
import { Verdict } from '../ui/values.tsx'

/** Shows a page; a response is served as it is. */
type Show = (page: PageContext) => View | Response | Promise<View | Response>

/** Calls the sandbox. Returns the address to go to, or a view that is shown once and has no address. */
type Act = PageAct<string | View>
export type PageAct<Answer = unknown> = (page: PageContext, values: FormValues) => Promise<Answer>

export interface PageRow {
  /** Shows the page, also after a refusal. Without it, opening its path leads to the page above. */
  readonly show?: Show
  /** Shows a refused form, if that is another page; by default the page above if this path has none. */
  readonly showRefused?: Show | undefined
  readonly act?: Act
  /** Where opening its path leads in place of the page above. */
  readonly home?: string
  /** Whether a button sends to it: a refusal belongs to no form of the page. */
  readonly isButton?: true
}

/** Pages by their paths below the sandbox. */
export type PageTable = Readonly<Record<string, PageRow>>

/** An act of a form that leads to a page with a notice; by default to the page above. */
export function thenLead(did: Notice, act: PageAct, path?: string): Act {
  return async (page, values) => {
    await act(page, values)
    return withNotice(path === undefined ? page.above : page.to(path), did)
  }
}

/** The row of a button, which leads to the page above. */
export function buttonRow(did: Notice, act: PageAct): PageRow {
  return { isButton: true, act: thenLead(did, act) }
}

/** Serves pages; of two paths that match, the first does. */
export function servePages(app: Hono, table: PageTable): void {
  for (const [path, row] of Object.entries(table)) {
    const at = path === '' ? '' : `/${path}`
    const above = pathAbove(table, path)
    const { show, act, home, showRefused = show ?? table[above]?.show } = row
    const pageOf = (c: Context) => withAbove(c, above)
    if (show !== undefined) app.get(at, async (c) => respond(c, await show(pageOf(c))))
    // The address may stay in the browser when a form is refused.
    else {
      app.get(at, function leadToPage(c) {
        const page = pageOf(c)
        const path = home === undefined ? page.above : page.to(home)
        return c.redirect(`${path}${new URL(c.req.url).search}`)
      })
    }
    if (act) app.post(at, (c) => submit(pageOf(c), act, { ...row, showRefused }))
  }
}

/** The path of the nearest page that another one is below. */
function pathAbove(table: PageTable, path: string): string {
  const above = path.slice(0, Math.max(0, path.lastIndexOf('/')))
  return above === '' || table[above]?.show !== undefined ? above : pathAbove(table, above)
}

/** The page of a request, when its path is matched. */
function withAbove(c: Context, above: string): PageContext {
  const page = c.get('page')
  const root = page.to()
  const parts = page.path.slice(root.length).split('/')
  const kept = above === '' ? [] : parts.slice(0, above.split('/').length)
  const matched = { ...page, above: `${root}${kept.join('/')}` }
  c.set('page', matched)
  return matched
}

async function submit(page: PageContext, act: Act, { show, showRefused, isButton }: PageRow) {
  const { c, clock } = page
  const values = valuesOf(await formOf(c))
  const showAgain = async (refusal: SandboxError | null, above: Child) => {
    const view = (await showRefused?.(withForm(page, { values, refusal }))) ?? (await c.notFound())
    if (view instanceof Response) return view
    // Where it can be loaded again: the address of the form may be no page.
    c.header('Content-Location', show === undefined ? page.above : page.path)
    // What was typed must not be replaced by what the address shows.
    const body = [above, view.body]
    return respond(c, { ...view, body, live: 'nothing' }, refusal?.status ?? 409)
  }
  // What the page said is what the act did at the moment that the form names.
  const isPast = clock.mode === 'frozen' && (values.text('seen') ?? clock.now) !== clock.now
  if (isPast) return showAgain(null, <Verdict isGood={false} text={moved} />)
  try {
    const done = await act(page, values)
    return typeof done === 'string' ? c.redirect(done, 303) : respond(c, done)
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error
    return showAgain(error, isButton && <Refused form={{ ...emptyForm, refusal: error }} />)
  }
}

const moved =
  'Nothing was done: the clock has moved since this was shown. This is what it does now.'

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

async function respond(c: Context, view: View | Response, status = 200): Promise<Response> {
  if (view instanceof Response) return view
  holdMeter.mark(c.get('run'))
  const { title, heading = title, note, actions, text, later } = view
  const rest = later && (await soon(later.body))
  const isWaiting = rest === WAITING
  const body = [
    <div class="heading">
      <h1>{heading}</h1>
      {note}
      <div class="actions">{typeof actions === 'string' ? prose(actions) : actions}</div>
    </div>,
    text && <Paragraph text={text} />,
    view.body,
    isWaiting ? raw(REST) : rest,
  ]
  const page = c.get('page')
  const { text: said, undo } = (await lastMoveText(page)) ?? {}
  const done = said && [
    ` ${said} `,
    undo && (
      <PostButton to="clock/undo" values={{ undo, back: page.hereWith({}) }} shortcut="z">
        Undo
      </PostButton>
    ),
  ]
  const working = isWaiting ? later?.says : undefined
  const document = <Layout page={page} view={{ ...view, body }} done={done} working={working} />
  c.status(status as ContentfulStatusCode)
  return isWaiting && later ? sendParts(c, await document.toString(), later) : c.html(document)
}

/** After how long a page is sent without what takes longer, whose place in it is then marked. */
const SOON_MS = 500
const WAITING = Symbol('waiting')
const REST = '<!--rest-->'

type Later = NonNullable<View['later']>

function soon(body: Promise<Child>): Promise<Child | typeof WAITING> {
  return Promise.race([body, after(SOON_MS, WAITING, { ref: false })])
}

/** Sends a page up to its rest, how far that is, and the rest when it is there: a browser shows all without scripts. */
function sendParts(c: Context, document: string, { says, body: rest }: Later): Response {
  const [start = '', end = ''] = document.split(REST)
  c.header('Content-Type', 'text/html; charset=UTF-8')
  return stream(c, async (out) => {
    await out.write(start)
    const known = rest.catch((problem: unknown) => {
      // The visitor has left, and the calls for the page were given up.
      if (c.req.raw.signal.aborted) return null
      if (!(problem instanceof SandboxError)) throw problem
      return <Refused form={{ ...emptyForm, refusal: problem }} />
    })
    let body = await soon(known)
    for (; body === WAITING; body = await soon(known)) {
      // The stylesheet shows the last of them.
      const share = (await c.get('page').control.GET('/sandbox')).data?.what_if_progress
      if (share) await out.write(await (<Working says={says} share={share} />).toString())
    }
    holdMeter.mark(c.get('run'))
    const shown = (
      <CurrentPage.Provider value={c.get('page')}>
        {/* The stylesheet then hides what the page worked on. */}
        <p id="ready" class="unseen" role="status">
          Done.
        </p>
        {body}
      </CurrentPage.Provider>
    )
    await out.write(`${await shown.toString()}${end}`)
  })
}
