/** The layout of every page: the sandbox and its clock above, the menu beside it, and the page itself. */
import { html } from 'hono/html'
import type { Child, FC, PropsWithChildren } from 'hono/jsx'
import { instantText } from '../../wire/common/text.ts'
import { eventsFrom } from './links.tsx'
import { noticeOf } from './notices.ts'
import { CurrentPage, type PageContext, usePage, type View } from './page-context.ts'

/** The menu: the path and the name of each page, and the paths of pages that belong to it. */
const places: Readonly<Record<string, readonly (readonly string[])[]>> = {
  Billing: [
    ['', 'Timeline', 'subscriptions'],
    ['customers', 'Customers'],
    ['catalog', 'Products and plans', 'products', 'plans'],
    ['coupons', 'Coupons', 'promotions'],
    ['invoices', 'Invoices'],
    ['payments', 'Payments'],
    ['tokens', 'Tokens'],
  ],
  Testing: [
    ['live', 'Live'],
    ['events', 'Events'],
    ['requests', 'Requests', 'faults', 'webhooks'],
    ['coverage', 'Coverage'],
    ['contracts', 'Contracts'],
    ['audit', 'Audit'],
    ['what-if', 'What if'],
  ],
  Sandbox: [
    ['clock', 'Clock'],
    ['recording', 'Recording'],
    ['settings', 'Settings'],
    ['sandboxes', 'Sandboxes'],
  ],
  Elsewhere: [['/docs', 'API reference']],
}

export const Layout: FC<{
  readonly page: PageContext
  readonly view: View
  readonly done: Child
  /** What the page works on, until the end says that it is done. */
  readonly working?: string | undefined
}> = ({ page, view, done, working }) => {
  const { sandbox, to, newestRequest: after } = page
  const of = view.live ?? 'changes'
  const live = of === 'nothing' ? null : to('changes', { of, after })
  return (
    <Document title={`${view.title} – ${sandbox.id}`} live={live}>
      <CurrentPage.Provider value={page}>
        <header class="top">
          <a class="brand" href={to()}>
            subscription-sandbox
          </a>
          <Switcher />
          <button type="button" class="menu" popovertarget="places">
            Menu
          </button>
          <button type="button" class="palette-button" aria-keyshortcuts="Control+K">
            Search or act…
          </button>
          <p id="missed" role="status"></p>
          <ClockBar />
        </header>
        <Places />
        <main id="main" tabindex={-1}>
          {/* Always there, so that a notice that a script puts into it is announced. */}
          <div id="notice" role="status">
            <NoticeLine>{done}</NoticeLine>
            {working && <Working says={working} />}
          </div>
          {view.body}
        </main>
      </CurrentPage.Provider>
    </Document>
  )
}

/** What a page works on, and which share of it is done. */
export const Working: FC<{ says: string; share?: number | undefined }> = ({ says, share }) => (
  <label class="notice working">
    {says} <progress value={share} />
  </label>
)

/** A whole document; `live` is the stream by which a browser with scripts hears that it should load the page again. */
export const Document: FC<PropsWithChildren<{ title: string; live: string | null }>> = (props) => (
  <>
    {html`<!doctype html>`}
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{props.title}</title>
        <link rel="icon" href="/dashboard/-/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/dashboard/-/dashboard.css" />
        <script src="/dashboard/-/dashboard.js" defer></script>
      </head>
      <body data-live={props.live ?? undefined}>
        <a class="skip" href="#main">
          Skip to the page
        </a>
        {props.children}
      </body>
    </html>
  </>
)

const Places: FC = () => {
  const { to, here } = usePage()
  const [first = ''] = here.slice(to().length).split(/[/?]/)
  return (
    <nav id="places" popover="auto" aria-label="Pages">
      {Object.entries(places).map(([group, pages]) => (
        <div>
          <p>{group}</p>
          <ul>
            {pages.map(([path = '', name, ...within]) => (
              <li>
                <a
                  href={path.startsWith('/') ? path : to(path)}
                  aria-current={[path, ...within].includes(first) ? 'page' : undefined}
                >
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}

/** The sandboxes of the server are listed when it is opened: a script reads their page then. */
const Switcher: FC = () => {
  const { sandbox, to } = usePage()
  return (
    <details class="switcher" data-from={to('sandboxes')}>
      <summary>
        <span class="unseen">Sandbox </span>
        {sandbox.id}
      </summary>
      <ul>
        <li>
          <a href={to('sandboxes')}>All sandboxes, new, fork…</a>
        </li>
      </ul>
    </details>
  )
}

/** What was done, and details of it. */
const NoticeLine: FC<PropsWithChildren> = ({ children }) => {
  const { query, clock } = usePage()
  const notice = noticeOf(query('did'))
  if (notice === null) return null
  const after = query('seq')
  return (
    <div class={notice.look}>
      {notice.text.replace('{now}', instantText(clock.now))}
      {children}
      {after !== undefined && /^\d+$/.test(after) && (
        <> {eventsFrom(Number(after) + 1, 'What happened on the way')}</>
      )}
    </div>
  )
}

const moves = [
  ['P1D', '+1 day', 'd'],
  ['P7D', '+1 week', 'w'],
  ['P1M', '+1 month', 'm'],
] as const

const ClockBar: FC = () => {
  const { clock, to, here } = usePage()
  const next = clock.next_due
  return (
    <form
      method="post"
      action={to('clock/advance')}
      class="clock-bar"
      aria-label="Virtual clock"
      data-mode={clock.mode}
    >
      <input type="hidden" name="back" value={here} />
      <a class="now" href={to('clock')}>
        <span class="unseen">Virtual now </span>
        <time datetime={clock.now}>{instantText(clock.now)}</time>
        {clock.mode === 'running' && <span class="hint"> running</span>}
      </a>
      {moves.map(([move, label, key]) => (
        <button type="submit" name="move" value={move} aria-keyshortcuts={key}>
          {label}
        </button>
      ))}
      <button
        type="submit"
        name="move"
        value="next"
        aria-keyshortcuts="e"
        disabled={next === null}
        title={next === null ? 'Nothing will fall due.' : dueText(next)}
      >
        Next due
      </button>
      <PreviewFirst />
    </form>
  )
}

/** Several forms of a page have this box: it has no id. */
export const PreviewFirst: FC = () => (
  <label class="check">
    <input type="checkbox" name="preview" value="true" />
    Preview first
  </label>
)

export function dueText(due: NonNullable<PageContext['clock']['next_due']>): string {
  const { at, kind, subject } = due
  return `${instantText(at)}: ${kind.replaceAll('_', ' ')} of ${subject.id}`
}
