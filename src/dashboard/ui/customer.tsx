/** What the pages about customers have in common. */
import type { FC } from 'hono/jsx'
import type { Schemas } from '../../library/sandbox.ts'
import type { Sent } from '../sent.ts'
import { SelectField, TextField } from './form.tsx'
import { MoneyText, Nothing } from './values.tsx'

/** In the currency of the customer, which is that of the first bill. */
export const CustomerBalance: FC<{ customer: Schemas['Customer'] }> = ({
  customer: { balance, currency },
}) => {
  if (currency !== null) return <MoneyText amount={balance} currency={currency} />
  return balance === 0 ? <Nothing /> : <span>{`${balance} minor units`}</span>
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
      hint="In minor units: the next invoices use it first"
      type="number"
      sent={sent}
    />
  </>
)
