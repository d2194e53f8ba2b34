/** All pages, in the order of the menu. */
import type { Hono } from 'hono'
import { catalogPages } from './catalog.tsx'
import { clockPages } from './clock.tsx'
import { couponPages } from './coupons.tsx'
import { invoicePages } from './invoices.tsx'
import { newSubscriptionPages } from './new-subscription.tsx'
import { planPages } from './plans.tsx'
import { productPages } from './products.tsx'
import { promotionPages } from './promotions.tsx'
import { timelinePages } from './timeline.tsx'

export const allPages: readonly ((pages: Hono) => void)[] = [
  timelinePages,
  newSubscriptionPages,
  catalogPages,
  productPages,
  planPages,
  couponPages,
  promotionPages,
  invoicePages,
  clockPages,
]
