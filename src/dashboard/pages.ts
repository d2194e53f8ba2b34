/** The table of all pages, by their paths below the sandbox. A collection is a row; of two paths that match, the first does. */
import { newSubscriptionPages } from './flow/new-subscription.tsx'
import type { PageTable } from './page-kinds/page-row.tsx'
import { auditPage } from './pages/audit.tsx'
import { catalogPages } from './pages/catalog.tsx'
import { clockPages } from './pages/clock.tsx'
import { contractPages } from './pages/contracts.tsx'
import { couponPages } from './pages/coupons.tsx'
import { coveragePage } from './pages/coverage.tsx'
import { customerPages } from './pages/customers.tsx'
import { eventPage } from './pages/events.tsx'
import { faultPages } from './pages/faults.tsx'
import { foundRecords } from './pages/find.ts'
import { invoicePages } from './pages/invoices.tsx'
import { livePages } from './pages/live.tsx'
import { paymentPages } from './pages/payments.tsx'
import { recordingPages } from './pages/recording.tsx'
import { requestPages } from './pages/requests.tsx'
import { sandboxPages } from './pages/sandboxes.tsx'
import { settingPages } from './pages/settings.tsx'
import { subscriptionPages } from './pages/subscriptions.tsx'
import { tokenPages } from './pages/tokens.tsx'
import { webhookPages } from './pages/webhooks.tsx'
import { whatIfPage } from './pages/what-if.tsx'

export const pageTable: PageTable = {
  find: foundRecords,
  ...newSubscriptionPages,
  ...subscriptionPages,
  ...customerPages,
  // Products and plans.
  ...catalogPages,
  ...couponPages,
  ...invoicePages,
  ...paymentPages,
  ...tokenPages,
  events: eventPage,
  ...livePages,
  ...requestPages,
  ...faultPages,
  ...webhookPages,
  coverage: coveragePage,
  ...contractPages,
  audit: auditPage,
  'what-if': whatIfPage,
  ...clockPages,
  ...recordingPages,
  ...settingPages,
  ...sandboxPages,
}
