/** Products, plans and customers on the wire, and what is sent to create and change them. */
import { strictObject, string } from 'zod'
import { Plan } from '../billing/catalog.ts'
import { Customer } from '../billing/customer.ts'
import {
  Amount,
  ChosenId,
  Currency,
  CurrencyIn,
  inSandbox,
  Label,
  Reference,
  sandbox,
  sourced,
} from './fields.ts'

export const WireProduct = strictObject({
  product_id: sourced('1', string()).describe('Its identifier.'),
  name: string().describe('Its name.').meta(sandbox),
}).meta({ id: 'Product', description: 'What is sold.', source: '1' })

export const ProductCreate = strictObject({ product_id: ChosenId.optional(), name: Label }).meta(
  inSandbox('ProductCreate'),
)

export const ProductPatch = strictObject({ name: Label.optional() }).meta(inSandbox('ProductPatch'))

const Interval = sourced('billing-calendar', Plan.shape.interval).describe(
  'The unit of the billing interval.',
)

const IntervalCount = sourced('billing-calendar', Plan.shape.intervalCount).describe(
  'How many units one billing interval has.',
)

export const WirePlan = strictObject({
  plan_id: sourced('2', string()).describe('Its identifier.'),
  product_id: sourced('1', string()).describe('The product it prices.'),
  name: string().describe('Its name, as invoice lines print it.').meta(sandbox),
  amount: Amount.describe('The price of one interval, in minor units.'),
  currency: Currency,
  interval: Interval,
  interval_count: IntervalCount,
}).meta({ id: 'Plan', description: 'What a product costs, and how often.', source: '1' })

export const PlanCreate = strictObject({
  plan_id: ChosenId.optional(),
  product_id: Reference.meta({ accepts: 'the identifier of a product', source: '1' }),
  name: Label,
  amount: Amount,
  currency: CurrencyIn,
  interval: Interval,
  interval_count: IntervalCount.default(1),
}).meta(inSandbox('PlanCreate'))

export const PlanPatch = strictObject({ name: Label.optional(), amount: Amount.optional() }).meta(
  inSandbox('PlanPatch'),
)

const PaymentMethod = Customer.shape.paymentMethod.meta({
  accepts: 'valid or none',
  description: 'Whether the customer can pay.',
  source: 'payment-outcomes',
})

const Balance = sourced('credit-to-balance', Amount).describe(
  'What we owe the customer, in minor units; the next invoices use it first.',
)

const Email = string().min(1).max(254).meta({ accepts: 'a text of 1 to 254 characters' })

export const WireCustomer = strictObject({
  customer_id: sourced('2', string()).describe('Its identifier.'),
  name: string().nullable().describe('The name, or null.').meta(sandbox),
  email: string().nullable().describe('The address, or null.').meta(sandbox),
  currency: Currency.nullable().describe('The currency of all its bills; null until the first.'),
  payment_method: PaymentMethod,
  balance: Balance,
}).meta({ id: 'Customer', description: 'Who is billed.', source: '1' })

export const CustomerCreate = strictObject({
  customer_id: ChosenId.optional(),
  name: Label.optional(),
  email: Email.optional(),
  currency: CurrencyIn.optional(),
  payment_method: PaymentMethod.default('valid'),
  balance: Balance.default(0),
}).meta(inSandbox('CustomerCreate'))

export const CustomerPatch = strictObject({
  name: Label.nullable().optional(),
  email: Email.nullable().optional(),
  payment_method: PaymentMethod.optional(),
  balance: Balance.optional(),
}).meta(inSandbox('CustomerPatch'))
