/** All pages, in the order of the menu. */
import type { Hono } from 'hono'
import { auditPages } from './audit.tsx'
import { clockPages } from './clock.tsx'
import { contractPages } from './contracts.tsx'
import { coveragePages } from './coverage.tsx'
import { eventPages } from './events.tsx'
import { faultPages } from './faults.tsx'
import { requestPages } from './requests.tsx'
import { sandboxPages } from './sandboxes.tsx'
import { settingPages } from './settings.tsx'
import { storyPages } from './story.tsx'
import { webhookPages } from './webhooks.tsx'

export const allPages: readonly ((pages: Hono) => void)[] = [
  eventPages,
  requestPages,
  faultPages,
  webhookPages,
  coveragePages,
  contractPages,
  auditPages,
  clockPages,
  storyPages,
  settingPages,
  sandboxPages,
]
