/** All pages, in the order of the menu. */
import type { Hono } from 'hono'
import { clockPages } from './clock.tsx'
import { newSubscriptionPages } from './new-subscription.tsx'
import { timelinePages } from './timeline.tsx'

export const allPages: readonly ((pages: Hono) => void)[] = [
  timelinePages,
  newSubscriptionPages,
  clockPages,
]
