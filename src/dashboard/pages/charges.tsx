/** One-time charges. */
import { ChargeCreate } from '../../wire/charge.ts'
import { formFieldsOf, minorUnits } from '../forms/field.ts'
import { collection } from '../page-kinds/collection.tsx'

const customer = { name: 'customer_id', placeholder: 'cus_ada' }

export const chargePages = collection('charges', {
  list: {
    title: 'One-time charges',
    filter: () => [customer],
    columns: ['charge_id', 'status', 'amount_due', 'customer_id', 'failure_reason', 'created_at'],
    empty:
      'No charge yet. A charge is a payment without a subscription.\n[Charge a customer once](payments/charges/~new)',
  },
  facts: [
    'amount',
    'discount_total',
    'amount_due',
    'failure_reason',
    'customer_id',
    'coupon_id',
    'created_at',
  ],
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
