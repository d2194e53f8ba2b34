/** Links to the pages of records. */
import type { FC, PropsWithChildren } from 'hono/jsx'
import type { Schemas } from '../../library/sandbox.ts'
import type { Visit } from '../visit.ts'

/** The pages that records of one kind have. */
type Place =
  | 'subscriptions'
  | 'invoices'
  | 'customers'
  | 'products'
  | 'plans'
  | 'coupons'
  | 'promotions'
  | 'requests'

interface LinkProps {
  readonly visit: Visit
  readonly place: Place
  readonly id: string
}

/** The address of the page of a record. */
export function recordAddress(visit: Visit, place: Place, id: string): string {
  return visit.to(`${place}/${encodeURIComponent(id)}`)
}

/** A link to the page of a record: by its id, or by what is given. */
export const RecordLink: FC<PropsWithChildren<LinkProps>> = ({ visit, place, id, children }) => (
  <a href={recordAddress(visit, place, id)}>{children ?? id}</a>
)

/** Where the subjects of events are shown that have no page of their own. */
const listed = { charge: 'payments', token_family: 'tokens', sandbox: '' } as const

/** A link to what an event or a due item is about. */
export const SubjectLink: FC<{ visit: Visit; subject: Schemas['Subject'] }> = ({
  visit,
  subject: { kind, id },
}) => {
  if (kind === 'subscription') return <RecordLink visit={visit} place="subscriptions" id={id} />
  if (kind === 'invoice') return <RecordLink visit={visit} place="invoices" id={id} />
  return <a href={visit.to(listed[kind])}>{id}</a>
}
