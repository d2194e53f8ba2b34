/** All pages, in the order of the menu. */
import type { Hono } from 'hono'
import { auditPages } from './audit.tsx'
import { clockPages } from './clock.tsx'
import { eventPages } from './events.tsx'
import { requestPages } from './requests.tsx'
import { sandboxPages } from './sandboxes.tsx'
import { storyPages } from './story.tsx'

export const allPages: readonly ((pages: Hono) => void)[] = [
  eventPages,
  requestPages,
  auditPages,
  clockPages,
  storyPages,
  sandboxPages,
]
