/** One-time charges. */
import type { Schemas } from '../../library/sandbox.ts'
import { ChargeCreate } from '../../wire/charge.ts'
import { formFieldsOf, minorUnits } from '../forms/field.ts'
import { collection } from '../page-kinds/collection.tsx'
import { instant, link, money, status, text } from '../ui/columns.tsx'
import { PageLink } from '../ui/links.tsx'
import { StatusBadge } from '../ui/values.tsx'

const customer = { name: 'customer_id', placeholder: 'cus_ada' }

export const chargePages = collection<Schemas['Charge']>({
  place: 'payments/charges',
  noun: 'charge',
  calls: ({ charges }) => charges,
  idOf: ({ charge_id }) => charge_id,
  list: {
    title: 'One-time charges',
    find: (page, query) => page.list('/sandbox/charges', query),
    filter: { label: 'Filter charges', fields: [customer] },
    columns: [
      link('Charge', 'payments/charges', 'charge_id'),
      status(),
      money('Due', 'amount_due'),
      link('Customer', 'customers', 'customer_id'),
      text('Reason', 'failure_reason'),
      instant('Created', 'created_at'),
    ],
    empty: {
      none: 'No charge yet. A charge is a payment without a subscription.',
      next: <PageLink to="payments/charges/~new">Charge a customer once</PageLink>,
    },
  },
  record: {
    note: (charge) => <StatusBadge status={charge.status} />,
    facts: [
      money('Amount', 'amount'),
      money('Discount', 'discount_total'),
      money('Due', 'amount_due'),
      text('Failure reason', 'failure_reason'),
      link('Customer', 'customers', 'customer_id'),
      link('Coupon', 'coupons', 'coupon_id'),
      instant('Created', 'created_at'),
    ],
  },
  create: {
    submit: 'Charge',
    fields: formFieldsOf(ChargeCreate, {
      customer_id: customer,
      amount: { hint: minorUnits },
      currency: {},
      coupon_id: { hint: 'No coupon if empty' },
    }),
    did: ({ failure_reason: reason }) => (reason === null ? 'charged' : `charge_${reason}`),
  },
})
