/** Links to the pages of records, and to other pages of the sandbox. */
import type { Child, FC, PropsWithChildren } from 'hono/jsx'
import type { Schemas } from '../../library/sandbox.ts'
import { type Query, usePage } from './page-context.ts'

/** The pages of records, by the kind that an event or a row names. */
export const recordPlaces = {
  subscription: 'subscriptions',
  invoice: 'invoices',
  charge: 'payments/charges',
  customer: 'customers',
  product: 'products',
  plan: 'plans',
  coupon: 'coupons',
  promotion: 'promotions',
  request: 'requests',
} as const
export type RecordKind = keyof typeof recordPlaces
export type RecordPlace = (typeof recordPlaces)[RecordKind]

/** The page of the record that a field names, such as `customer_id` or `pending_plan`; undefined for another field. */
export function recordPlaceOf(field: string): RecordPlace | undefined {
  const kind = field === 'code' ? 'promotion' : field.replace(/^pending_|_id$/g, '')
  return kind === 'request' ? undefined : recordPlaces[kind as RecordKind]
}

export const idFieldOf = (kind: RecordKind) => (kind === 'promotion' ? 'code' : `${kind}_id`)

/** Kinds that are shown in a list only. */
const lists: Readonly<Record<string, string>> = { token_family: 'tokens', sandbox: '' }

export const recordPath = (place: RecordPlace, id: string) => `${place}/${encodeURIComponent(id)}`

interface PageLinkProps {
  readonly to?: string
  readonly query?: Query
  /** Its look: a button, or one that warns or is emphasized. */
  readonly as?: 'button' | 'button danger' | 'button primary' | undefined
  readonly label?: string
}

export const PageLink: FC<PropsWithChildren<PageLinkProps>> = (props) => (
  <a
    class={props.as}
    href={usePage().to(props.to, props.query)}
    aria-label={props.label}
    aria-keyshortcuts={props.as === 'button primary' ? 'c' : undefined}
  >
    {props.children}
  </a>
)

/** Makes links with one look, each to a page with a query. */
function linkAs(as?: PageLinkProps['as']) {
  return (label: Child, to: string, query: Query = {}): Child => (
    <PageLink to={to} query={query} as={as}>
      {label}
    </PageLink>
  )
}

export const button = linkAs('button')
export const primaryButton = linkAs('button primary')
/** A button that leads to the question before a deletion. */
export const dangerButton = linkAs('button danger')
export const linkWith = (query: Query, label: Child, to: string) => linkAs()(label, to, query)

/** A text in which `[words](path)` is a link, to a page of this sandbox or from the root, and backticks enclose code. */
export function prose(text: string): Child {
  return text.split(/(\[[^\]]+\]\([^)]*\)|`[^`]+`)/).map((part) => {
    const [, label, path = ''] = /^\[(.+)\]\((.*)\)$/.exec(part) ?? []
    if (label === undefined) return /^`.+`$/.test(part) ? <code>{part.slice(1, -1)}</code> : part
    return /^\/\w/.test(path) ? <a href={path}>{label}</a> : <PageLink to={path}>{label}</PageLink>
  })
}

export const assumptionLink = (slug: string) => prose(`[${slug}](settings#${slug})`)
export const eventsFrom = (seq: number, label: Child) =>
  linkWith({ after: seq - 1, order: 'oldest' }, label, 'events')

export const Paragraph: FC<{ text: string }> = ({ text }) => <p>{prose(text)}</p>

/** A paragraph beside the matter. */
export const Hint: FC<{ text: string }> = ({ text }) => <p class="hint">{prose(text)}</p>

/** A link of several beside each other: where it leads, whether it is what is shown, and the key that follows it. */
export type GroupLink = readonly [
  name: string,
  address: string | undefined,
  isCurrent?: boolean,
  shortcut?: string | undefined,
]

/** Links in boxes, in which what is shown is marked. */
export const LinkGroups: FC<{ label: string; groups: readonly GroupLink[][] }> = (props) => (
  <nav class="moves" aria-label={props.label}>
    {props.groups.map((links) => (
      <span class="group">
        {links.map(([name, address, isCurrent, shortcut]) => (
          <a
            href={address}
            aria-current={isCurrent ? 'true' : undefined}
            aria-keyshortcuts={shortcut}
          >
            {name}
          </a>
        ))}
      </span>
    ))}
  </nav>
)

/** Links in one box, of which one is what is shown. */
export const Switch: FC<{ label: string; options: GroupLink[] }> = ({ label, options }) => (
  <LinkGroups label={label} groups={[options]} />
)

/** A link in a row to the question before an act on its record. */
export function askLink(label: string, to: string, id: string): Child {
  return (
    <PageLink to={to} label={`${label} ${id}…`}>
      {label}…
    </PageLink>
  )
}

/** A link to the page of a record: by its id, or by other words. */
export const RecordLink: FC<PropsWithChildren<{ place: RecordPlace; id: string }>> = (props) => (
  <PageLink to={recordPath(props.place, props.id)}>{props.children ?? props.id}</PageLink>
)

/** What led to an event: a request, or the clock, which a request may have moved. */
export function causeText({ kind, request_id: id }: Schemas['Event']['cause']): Child {
  const link = id !== null && <RecordLink place="requests" id={id} />
  if (kind === 'request') return link || 'a request'
  return link ? <span>the clock, by {link}</span> : 'the clock'
}

/** A link to the subject of an event or a due item; its id alone if no page shows it. */
export const SubjectLink: FC<{ subject: { kind: string; id: string } }> = ({ subject }) => {
  const { kind, id } = subject
  const place = recordPlaces[kind as RecordKind]
  if (place !== undefined) return <RecordLink place={place} id={id} />
  const list = lists[kind]
  return list === undefined ? <span>{id}</span> : <PageLink to={list}>{id}</PageLink>
}
