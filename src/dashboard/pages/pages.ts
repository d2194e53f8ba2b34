/** The table of all pages, by their paths below the sandbox. A collection is a row; of two paths that match, the first does. */
import type { PageTable } from '../page-kinds/page-row.tsx'
import { auditPage } from './audit.tsx'
import { catalogPages } from './catalog.tsx'
import { chargePages } from './charges.tsx'
import { clockPages } from './clock.tsx'
import { contractPages } from './contracts.tsx'
import { couponPages } from './coupons.tsx'
import { coveragePage } from './coverage.tsx'
import { customerPages } from './customers.tsx'
import { eventPage } from './events.tsx'
import { faultPages } from './faults.tsx'
import { invoicePages } from './invoices.tsx'
import { liveStream } from './live.ts'
import { newSubscriptionPages } from './new-subscription.tsx'
import { paymentPages } from './payments.tsx'
import { promotionPages } from './promotions.tsx'
import { requestPages } from './requests.tsx'
import { sandboxPages } from './sandboxes.tsx'
import { settingPages } from './settings.tsx'
import { storyPages } from './story.tsx'
import { subscriptionPages } from './subscription.tsx'
import { timelinePage } from './timeline.tsx'
import { tokenPages } from './tokens.tsx'
import { webhookPages } from './webhooks.tsx'
import { whatIfPage } from './what-if.tsx'

export const pageTable: PageTable = {
  live: liveStream,
  '': timelinePage,
  ...newSubscriptionPages,
  ...subscriptionPages,
  ...customerPages,
  ...catalogPages,
  ...couponPages,
  ...promotionPages,
  ...invoicePages,
  ...paymentPages,
  ...chargePages,
  ...tokenPages,
  events: eventPage,
  ...requestPages,
  ...faultPages,
  ...webhookPages,
  coverage: coveragePage,
  ...contractPages,
  audit: auditPage,
  'what-if': whatIfPage,
  ...clockPages,
  ...storyPages,
  ...settingPages,
  ...sandboxPages,
}
