/** All pages, in the order of the menu. */
import type { Hono } from 'hono'
import { catalogPages } from './catalog.tsx'
import { chargePages } from './charges.tsx'
import { clockPages } from './clock.tsx'
import { couponPages } from './coupons.tsx'
import { invoicePages } from './invoices.tsx'
import { paymentPages } from './payments.tsx'
import { planPages } from './plans.tsx'
import { productPages } from './products.tsx'
import { promotionPages } from './promotions.tsx'
import { tokenPages } from './tokens.tsx'

export const allPages: readonly ((pages: Hono) => void)[] = [
  clockPages,
  catalogPages,
  productPages,
  planPages,
  couponPages,
  promotionPages,
  invoicePages,
  paymentPages,
  chargePages,
  tokenPages,
]
