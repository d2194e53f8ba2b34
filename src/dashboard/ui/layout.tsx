/** What every page has: the sandbox and its clock above, where one can go beside it, and the page itself. */
import { html } from 'hono/html'
import type { FC } from 'hono/jsx'
import type { View } from '../view.ts'
import type { Visit } from '../visit.ts'
import { ClockBar } from './clock-bar.tsx'
import { noticeText } from './notices.ts'

/** Where one can go: the path of each page, and what it is called. */
const places = {
  Billing: [
    ['', 'Timeline'],
    ['customers', 'Customers'],
    ['catalog', 'Products and plans'],
    ['coupons', 'Coupons'],
    ['invoices', 'Invoices'],
    ['payments', 'Payments'],
    ['tokens', 'Tokens'],
  ],
  Testing: [
    ['events', 'Events'],
    ['requests', 'Requests'],
    ['coverage', 'Coverage'],
    ['contracts', 'Contracts'],
    ['audit', 'Audit'],
    ['what-if', 'What if'],
  ],
  Sandbox: [
    ['clock', 'Clock'],
    ['story', 'Story'],
    ['settings', 'Settings'],
    ['sandboxes', 'Sandboxes'],
  ],
} as const

export const Layout: FC<{ visit: Visit; view: View }> = ({ visit, view }) => {
  const { sandbox, to } = visit
  const live = view.live ?? 'changes'
  return (
    <Document
      title={`${view.title} – ${sandbox.id}`}
      live={live === 'nothing' ? null : to('live', { of: live })}
    >
      <header class="top">
        <a class="brand" href={to()}>
          subscription-sandbox
        </a>
        <Switcher visit={visit} />
        <button type="button" class="menu" popovertarget="places">
          Menu
        </button>
        <ClockBar visit={visit} />
      </header>
      <Places visit={visit} />
      <main id="main" tabindex={-1}>
        <NoticeLine visit={visit} />
        {view.body}
      </main>
    </Document>
  )
}

/** A whole document; `live` is where a browser with scripts hears that it should be loaded again. */
export const Document: FC<{ title: string; live: string | null; children?: unknown }> = ({
  title,
  live,
  children,
}) => (
  <>
    {html`<!doctype html>`}
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{title}</title>
        <link rel="icon" href="/dashboard/-/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/dashboard/-/dashboard.css" />
        <script src="/dashboard/-/dashboard.js" defer></script>
      </head>
      <body data-live={live ?? undefined}>
        <a class="skip" href="#main">
          Skip to the page
        </a>
        {children}
      </body>
    </html>
  </>
)

const Places: FC<{ visit: Visit }> = ({ visit: { to, here } }) => {
  const current = placeAt(here, to())
  return (
    <nav id="places" popover="auto" aria-label="Pages">
      {Object.entries(places).map(([group, paths]) => (
        <div>
          <p>{group}</p>
          <ul>
            {paths.map(([path, name]) => (
              <li>
                <a href={to(path)} aria-current={path === current ? 'page' : undefined}>
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
      <div>
        <p>Elsewhere</p>
        <ul>
          <li>
            <a href="/docs">API reference</a>
          </li>
        </ul>
      </div>
    </nav>
  )
}

/** The place that a page belongs to: subscriptions are on the timeline, promotions among the coupons. */
function placeAt(here: string, root: string): string {
  const [first = ''] = here.slice(root.length).split(/[/?]/)
  const belongs: Readonly<Record<string, string>> = {
    subscriptions: '',
    promotions: 'coupons',
    products: 'catalog',
    plans: 'catalog',
    faults: 'requests',
    webhooks: 'requests',
  }
  return belongs[first] ?? first
}

/** The sandboxes of the server are listed when it is opened: their page is read then, by a script. */
const Switcher: FC<{ visit: Visit }> = ({ visit: { sandbox, to } }) => (
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

const NoticeLine: FC<{ visit: Visit }> = ({ visit }) => {
  const text = noticeText(visit.query('did'))
  if (text === null) return null
  const after = visit.query('seq')
  return (
    <p class="notice" role="status">
      {text}
      {after !== undefined && /^\d+$/.test(after) && (
        <>
          {' '}
          <a href={visit.to('events', { after })}>What happened on the way</a>
        </>
      )}
    </p>
  )
}
