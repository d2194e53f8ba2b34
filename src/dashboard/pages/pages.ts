/** All pages, in the order of the menu. */
import type { Hono } from 'hono'
import { auditPages } from './audit.tsx'
import { catalogPages } from './catalog.tsx'
import { chargePages } from './charges.tsx'
import { checkpointPages } from './checkpoints.tsx'
import { clockPages } from './clock.tsx'
import { contractPages } from './contracts.tsx'
import { couponPages } from './coupons.tsx'
import { coveragePages } from './coverage.tsx'
import { oneCustomerPages } from './customer.tsx'
import { customerPages } from './customers.tsx'
import { eventPages } from './events.tsx'
import { faultPages } from './faults.tsx'
import { invoicePages } from './invoices.tsx'
import { newSubscriptionPages } from './new-subscription.tsx'
import { paymentPages } from './payments.tsx'
import { planPages } from './plans.tsx'
import { productPages } from './products.tsx'
import { promotionPages } from './promotions.tsx'
import { requestPages } from './requests.tsx'
import { sandboxPages } from './sandboxes.tsx'
import { settingPages } from './settings.tsx'
import { storyPages } from './story.tsx'
import { subscriptionPages } from './subscription.tsx'
import { timelinePages } from './timeline.tsx'
import { tokenPages } from './tokens.tsx'
import { webhookPages } from './webhooks.tsx'
import { whatIfPages } from './what-if.tsx'

export const allPages: readonly ((pages: Hono) => void)[] = [
  timelinePages,
  newSubscriptionPages,
  subscriptionPages,
  customerPages,
  oneCustomerPages,
  catalogPages,
  productPages,
  planPages,
  couponPages,
  promotionPages,
  invoicePages,
  paymentPages,
  chargePages,
  tokenPages,
  eventPages,
  requestPages,
  faultPages,
  webhookPages,
  coveragePages,
  contractPages,
  auditPages,
  whatIfPages,
  clockPages,
  checkpointPages,
  storyPages,
  settingPages,
  sandboxPages,
]
