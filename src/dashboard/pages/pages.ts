/** All pages, in the order of the menu. */
import type { Hono } from 'hono'
import { clockPages } from './clock.tsx'
import { customerPages } from './customers.tsx'
import { newSubscriptionPages } from './new-subscription.tsx'
import { subscriptionPages } from './subscription.tsx'

export const allPages: readonly ((pages: Hono) => void)[] = [
  newSubscriptionPages,
  subscriptionPages,
  customerPages,
  clockPages,
]
