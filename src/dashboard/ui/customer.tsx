/** What the pages about customers have in common. */
import type { Child, FC } from 'hono/jsx'
import type { Schemas } from '../../library/sandbox.ts'
import type { Sent } from '../sent.ts'
import { SelectField, TextField } from './form.tsx'
import { MoneyText, Nothing, Text } from './values.tsx'

type Customer = Schemas['Customer']

/** In the currency of the customer, which is that of the first bill. */
export const CustomerBalance: FC<{ customer: Customer }> = ({
  customer: { balance, currency },
}) => {
  if (currency !== null) return <MoneyText amount={balance} currency={currency} />
  return balance === 0 ? <Nothing /> : <span>{`${balance} minor units`}</span>
}

/** What a list says of customers; `link` leads on from one. */
export function customerColumns(link: (id: string) => Child) {
  return [
    { name: 'Customer', cell: ({ customer_id: id }: Customer) => link(id) },
    { name: 'Name', cell: ({ name }: Customer) => <Text value={name} /> },
    { name: 'Email', cell: ({ email }: Customer) => <Text value={email} /> },
    {
      name: 'Balance',
      cell: (customer: Customer) => <CustomerBalance customer={customer} />,
      isNumber: true,
    },
    { name: 'Payment method', cell: ({ payment_method: method }: Customer) => method },
  ]
}

/** The fields that can be changed later, too. */
export const CustomerFields: FC<{ sent: Sent }> = ({ sent }) => (
  <>
    <TextField name="name" label="Name" sent={sent} />
    <TextField name="email" label="Email" sent={sent} />
    <SelectField
      name="payment_method"
      label="Payment method"
      options={[
        ['valid', 'valid: payments succeed'],
        ['none', 'none: payments fail'],
      ]}
      sent={sent}
    />
    <TextField
      name="balance"
      label="Balance"
      hint="In minor units; the next invoices use it first"
      type="number"
      sent={sent}
    />
  </>
)
