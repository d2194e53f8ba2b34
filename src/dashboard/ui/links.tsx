/** Links to the pages of records. */
import type { FC, PropsWithChildren } from 'hono/jsx'
import type { Visit } from '../visit.ts'

/** The pages that records of one kind have. */
type Place =
  | 'subscriptions'
  | 'invoices'
  | 'payments/charges'
  | 'customers'
  | 'products'
  | 'plans'
  | 'coupons'
  | 'promotions'
  | 'requests'

interface LinkProps {
  readonly visit: Pick<Visit, 'to'>
  readonly place: Place
  readonly id: string
}

/** Where the page of a record is, in its sandbox. */
export function recordPath(place: Place, id: string): string {
  return `${place}/${encodeURIComponent(id)}`
}

/** The address of the page of a record. */
export function recordAddress(visit: Pick<Visit, 'to'>, place: Place, id: string): string {
  return visit.to(recordPath(place, id))
}

/** A link to the page of a record: by its id, or by what is given. */
export const RecordLink: FC<PropsWithChildren<LinkProps>> = ({ visit, place, id, children }) => (
  <a href={recordAddress(visit, place, id)}>{children ?? id}</a>
)

/** A cell of a table that links to the record whose id each row has under a name. */
export function linkCell<Name extends string>(visit: Pick<Visit, 'to'>, place: Place, name: Name) {
  return (row: Readonly<Record<Name, string>>) => (
    <RecordLink visit={visit} place={place} id={row[name]} />
  )
}

/** A link that looks like a button. */
export const ButtonLink: FC<PropsWithChildren<{ href: string }>> = ({ href, children }) => (
  <a class="button" href={href}>
    {children}
  </a>
)

/** A link to a question before something goes. */
export const DangerLink: FC<PropsWithChildren<{ href: string }>> = ({ href, children }) => (
  <a class="button danger" href={href}>
    {children}
  </a>
)

/** What has a page for each record, by what an event or a row calls it. */
const places: Readonly<Record<string, Place>> = {
  subscription: 'subscriptions',
  invoice: 'invoices',
  charge: 'payments/charges',
  customer: 'customers',
  product: 'products',
  plan: 'plans',
  coupon: 'coupons',
  promotion: 'promotions',
  request: 'requests',
}

/** What is shown in a list only. */
const lists: Readonly<Record<string, string>> = { token_family: 'tokens', sandbox: '' }

/** A link to what an event or a due item is about; its id alone where nothing shows it. */
export const SubjectLink: FC<{
  visit: Pick<Visit, 'to'>
  subject: { readonly kind: string; readonly id: string }
}> = ({ visit, subject: { kind, id } }) => {
  const [place, list] = [places[kind], lists[kind]]
  if (place !== undefined) return <RecordLink visit={visit} place={place} id={id} />
  return list === undefined ? <span>{id}</span> : <a href={visit.to(list)}>{id}</a>
}
