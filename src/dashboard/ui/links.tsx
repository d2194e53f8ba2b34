/** Links to the page of a record. */
import type { FC } from 'hono/jsx'
import type { Visit } from '../visit.ts'

/** Where the page of each kind of record is. */
const folders: Readonly<Record<string, string>> = {
  subscription: 'subscriptions',
  invoice: 'invoices',
  charge: 'payments/charges',
  customer: 'customers',
  product: 'products',
  plan: 'plans',
  coupon: 'coupons',
  promotion: 'promotions',
}

/** The id of a record, as a link to its page where it has one. */
export const SubjectLink: FC<{
  visit: Visit
  subject: { readonly kind: string; readonly id: string }
}> = ({ visit, subject: { kind, id } }) => {
  const folder = folders[kind]
  if (folder === undefined) return <>{id}</>
  return <a href={visit.to(`${folder}/${encodeURIComponent(id)}`)}>{id}</a>
}
