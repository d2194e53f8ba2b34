/** All pages, in the order of the menu. */
import type { Hono } from 'hono'
import { clockPages } from './clock.tsx'
import { eventPages } from './events.tsx'
import { requestPages } from './requests.tsx'

export const allPages: readonly ((pages: Hono) => void)[] = [clockPages, eventPages, requestPages]
