/** Links to the page of a record. */
import type { FC } from 'hono/jsx'
import type { Visit } from '../visit.ts'

/** Where the page of each kind of record is; kinds without one are not in it. */
const folders: Readonly<Record<string, string>> = {
  subscription: 'subscriptions',
  invoice: 'invoices',
  customer: 'customers',
  coupon: 'coupons',
  promotion: 'promotions',
  product: 'products',
  plan: 'plans',
  request: 'requests',
}

/** The id of a record, which leads to its page. */
export const SubjectLink: FC<{
  visit: Pick<Visit, 'to'>
  subject: { readonly kind: string; readonly id: string }
}> = ({ visit, subject: { kind, id } }) => {
  const folder = folders[kind]
  if (kind === 'token_family') return <a href={visit.to('tokens')}>{id}</a>
  if (folder === undefined) return <span>{id}</span>
  return <a href={visit.to(`${folder}/${encodeURIComponent(id)}`)}>{id}</a>
}
