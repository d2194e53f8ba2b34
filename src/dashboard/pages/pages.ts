/** All pages, in the order of the menu. */
import type { Hono } from 'hono'
import { clockPages } from './clock.tsx'
import { timelinePages } from './timeline.tsx'
import { whatIfPages } from './what-if.tsx'

export const allPages: readonly ((pages: Hono) => void)[] = [timelinePages, whatIfPages, clockPages]
