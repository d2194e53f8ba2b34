/** Products, plans and customers on the wire, and what is sent to create and change them. */
import { strictObject, string } from 'zod'
import { Plan } from '../../billing/catalog.ts'
import { BALANCE_MAX, Customer } from '../../billing/customer.ts'
import {
  Amount,
  boundedInt,
  ChosenId,
  Currency,
  CurrencyIn,
  describedAs,
  inSandbox,
  Label,
  Natural,
  named,
  referenceTo,
  sandbox,
  sourced,
  TextOrNull,
} from '../common/fields.ts'

const chosen = 'If it has no identifier, the sandbox generates one.'
const unchanged = 'An absent field is unchanged.'

export const WireProduct = strictObject({
  product_id: sourced('1', string()).describe('The identifier of the product.'),
  name: string().describe('The name of the product.').meta(sandbox),
}).meta(named('1', 'Product', 'A product: what is sold, at the prices of its plans.'))

export const ProductCreate = describedAs(WireProduct, {
  product_id: ChosenId.optional(),
  name: Label,
}).meta(inSandbox('ProductCreate', `The product to create. ${chosen}`))

export const ProductPatch = describedAs(WireProduct, { name: Label.optional() }).meta(
  inSandbox('ProductPatch', `The product with its changes. ${unchanged}`),
)

const Interval = sourced('billing-calendar', Plan.shape.interval).describe(
  'The unit of the billing interval.',
)

const IntervalCount = sourced('billing-calendar', Plan.shape.intervalCount).describe(
  'How many units one billing interval has.',
)

export const WirePlan = strictObject({
  plan_id: sourced('2', string()).describe('The identifier of the plan.'),
  product_id: sourced('1', string()).describe('The identifier of the product that the plan sells.'),
  name: string().describe('The name of the plan, as invoice lines print it.').meta(sandbox),
  amount: Amount.describe('The price of one billing interval, in minor units.'),
  currency: Currency.describe('The ISO 4217 code of the currency of the price.'),
  interval: Interval,
  interval_count: IntervalCount,
}).meta(named('1', 'Plan', 'A pricing plan: what a product costs, and how often it is billed.'))

export const PlanCreate = describedAs(WirePlan, {
  plan_id: ChosenId.optional(),
  product_id: referenceTo('product').meta({ source: '1' }),
  name: Label,
  amount: Amount,
  currency: CurrencyIn,
  interval: Interval,
  interval_count: IntervalCount.default(1),
}).meta(inSandbox('PlanCreate', `The plan to create. ${chosen}`))

export const PlanPatch = describedAs(WirePlan, {
  name: Label.optional().meta({ examples: ['Basic'] }),
  amount: Amount.optional(),
}).meta(inSandbox('PlanPatch', `The plan with its changes. ${unchanged}`))

const PaymentMethod = Customer.shape.paymentMethod.meta({
  accepts: 'valid or none',
  description:
    'Whether the customer has a valid payment method. With `none`, payment attempts fail.',
  source: 'payment-outcomes',
})

const Balance = sourced('credit-to-balance', boundedInt(0, BALANCE_MAX, 'minor units')).describe(
  'The credit of the customer, in minor units; the next invoices use it first.',
)

const Email = Customer.shape.email.unwrap().meta({ accepts: 'a text of 1 to 254 characters' })

export const WireCustomer = strictObject({
  customer_id: sourced('2', string()).describe('The identifier of the customer.'),
  name: TextOrNull.describe('The name of the customer.').meta(sandbox),
  email: TextOrNull.describe('The email address of the customer.').meta(sandbox),
  currency: Currency.nullable().describe(
    'The ISO 4217 code of the currency of all bills of the customer; null until the first bill.',
  ),
  payment_method: PaymentMethod,
  // Credits of plan changes may bring it above the largest amount.
  balance: Natural.meta(Balance.meta() ?? {}),
}).meta(named('1', 'Customer', 'A customer: who is billed.'))

export const CustomerCreate = describedAs(WireCustomer, {
  customer_id: ChosenId.optional(),
  name: Label.optional(),
  email: Email.optional(),
  currency: CurrencyIn.optional().describe(
    'The ISO 4217 code of the currency of all bills of the customer. Default: that of the first bill.',
  ),
  payment_method: PaymentMethod.default('valid'),
  balance: Balance.default(0),
}).meta(inSandbox('CustomerCreate', `The customer to create. ${chosen}`))

export const CustomerPatch = describedAs(WireCustomer, {
  name: Label.nullable().optional(),
  email: Email.nullable().optional(),
  payment_method: PaymentMethod.optional(),
  balance: Balance.optional(),
}).meta(inSandbox('CustomerPatch', `The customer with its changes. ${unchanged}`))
